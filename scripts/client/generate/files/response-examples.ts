/** Generates the file `response-examples.ts`: example responses, with which partners test their programs. */
import { type Contract, isSuccess, type Operation } from "../../../contract/model/index.ts";
import { bodyOf } from "../reading/bodies.ts";
import { demandValue, Refusal } from "../reading/refusal.ts";
import { contractTypesPath, generatedNotice, toLiteral, toMembers, toUnion, uniqueEntries } from "../writing/text.ts";

export function responseExamplesSource(contract: Contract): string {
  const { operations, errorCodes } = contract;
  const successes = operations.map((operation) => {
    const examples = successExamplesOf(operation).map(
      ({ name, status, value }) => [name, { status, body: value }] as const,
    );
    const refusalOf = (name: string) =>
      new Refusal(operation.location, `Two successes have an example ${name}`, "Rename one");
    return [operation.operationId, toLiteral(Object.fromEntries(uniqueEntries(examples, refusalOf)))] as const;
  });
  const codes = errorCodes.map(({ code, status, location }) => {
    const examples = location.at("examples").items();
    const example = demandValue(examples[0], location, `The P-code ${code} has no example`, "Add one");
    return [code, toLiteral({ status, body: example.value })] as const;
  });
  const withoutCode = operations.map((operation) => {
    const responses = operation.responses.filter(({ status, codes }) => status >= 400 && codes.length === 0);
    // A caller cannot choose among the examples of a failure, so the first one stands for all.
    const examples = responses.map((response) => [response.status, bodyOf(response)?.examples[0]?.value]);
    return [operation.operationId, toLiteral(Object.fromEntries(examples))] as const;
  });
  const nameLines = operations.map((operation) => {
    const union = toUnion(successExamplesOf(operation).map(({ name }) => name));
    return `  ${operation.operationId}: ${union};`;
  });
  return `${generatedNotice}
import type { ResponseExamples } from "${contractTypesPath}";

/** The names of the examples of each operation's successes. */
export interface SuccessExamples {
${nameLines.join("\n")}
}

export const responseExamples: ResponseExamples = {
  successes: {
${toMembers(successes)}
  },
  codes: {
${toMembers(codes)}
  },
  withoutCode: {
${toMembers(withoutCode)}
  },
};
`;
}

function successExamplesOf({ responses }: Operation) {
  return responses
    .filter(isSuccess)
    .flatMap((success) =>
      (bodyOf(success)?.examples ?? []).map(({ name, value }) => ({ name, status: success.status, value })),
    );
}
