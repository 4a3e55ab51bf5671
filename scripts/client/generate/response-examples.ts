/** Generates the example responses of the entry point `partner-wallet-api/testing`. */
import { type Contract, codeProperty, type DocumentedResponse, type Operation } from "../../contract/model/index.ts";
import { isSuccess } from "./operation-types.ts";
import { generatedNotice, runtimePath, toLiteral, toMembers, toUnion } from "./text.ts";

export function responseExamplesSource(contract: Contract): string {
  const { operations } = contract;
  const successes = operations.map((operation) => {
    const examples = successesOf(operation).map(({ name, status, value }) => [name, { status, body: value }]);
    return [operation.operationId, toLiteral(Object.fromEntries(examples))] as const;
  });
  const withoutCode = operations.map((operation) => {
    const responses = failuresOf(operation).flatMap(({ status, bodies: [body] }) => {
      const value = body?.examples[0]?.value;
      return value === undefined || codeIn(value) !== undefined ? [] : [[status, value]];
    });
    return [operation.operationId, toLiteral(Object.fromEntries(responses))] as const;
  });
  const names = operations.map((operation) => {
    const union = toUnion([...new Set(successesOf(operation).map(({ name }) => name))]);
    return `  ${operation.operationId}: ${union};`;
  });
  return `${generatedNotice}
import type { ResponseExamples } from "${runtimePath}/testing/types.ts";

/** The names of the examples of each operation's successes. */
export interface SuccessExamples {
${names.join("\n")}
}

/** The examples of the contract that become results in tests. */
export const responseExamples: ResponseExamples = {
  successes: {
${toMembers(successes)}
  },
  codes: {
${toMembers(codeExamples(contract))}
  },
  withoutCode: {
${toMembers(withoutCode)}
  },
};
`;
}

function codeExamples({ operations, errorCodes }: Contract): (readonly [string, string])[] {
  const shown = operations
    .flatMap(failuresOf)
    .flatMap(({ status, bodies: [body] }) =>
      (body?.examples ?? []).map(({ value }) => ({ status, body: value, code: codeIn(value) })),
    );
  const timestamp = shown
    .map(({ body }) => (body as { timestamp?: unknown }).timestamp)
    .find((time) => time !== undefined);
  return errorCodes.map(({ code, meaning }) => {
    const { status = 400, body = { errorCode: code, errorMessage: meaning, timestamp } } =
      shown.find((example) => example.code === code) ?? {};
    return [code, toLiteral({ status, body })] as const;
  });
}

function codeIn(body: unknown): unknown {
  return (body as Record<string, unknown> | null)?.[codeProperty];
}

function successesOf({ responses }: Operation) {
  return responses
    .filter(isSuccess)
    .flatMap(({ status, bodies: [body] }) =>
      (body?.examples ?? []).map(({ name, value }) => ({ name, status, value })),
    );
}

function failuresOf({ responses }: Operation): DocumentedResponse[] {
  return responses.filter(({ status }) => status >= 400);
}
