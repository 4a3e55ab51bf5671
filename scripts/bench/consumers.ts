/** Programs of a partner for the type checker: calls of several operations, each with all its P-codes told apart. */
import type { Contract, Operation } from "../contract/contract.ts";
import { made } from "./peers.ts";
import { pathOf } from "./samples.ts";

export const consumerNames = ["nothing imported", "partner-wallet-api", "openapi-fetch", "hey-api", "kubb"] as const;
export type ConsumerName = (typeof consumerNames)[number];

/** How many operations a consumer calls. */
export const operationCount = 10;

/** The programs, all with the same calls. */
export function consumerPrograms(contract: Contract): Record<ConsumerName, string> {
  const operations = contract.operations.filter(isUsual).slice(0, operationCount);
  const program = (head: string, body: (operation: Operation) => string) =>
    [head, ...operations.map((operation) => functionOf(operation, body(operation)))].join("\n");
  const names = operations.map(({ operationId }) => operationId).join(", ");
  const address = `const baseUrl = "https://api.example";`;
  return {
    "nothing imported": "export {};\n",
    "partner-wallet-api": program(
      `import { createPartnerClient } from "partner-wallet-api";
${address}
const client = createPartnerClient({ baseUrl, depositBaseUrl: baseUrl, apiKey: "key" });`,
      (operation) => `  const { data, error } = await client.${operation.operationId}(${optionsOf(operation)});
${narrowing(operation)}`,
    ),
    "openapi-fetch": program(
      `import createClient from "openapi-fetch";
import type { paths } from "./${made.openapiTypes}";
${address}
const client = createClient<paths>({ baseUrl });`,
      (
        operation,
      ) => `  const { data, error } = await client.${operation.method.toUpperCase()}(${JSON.stringify(operation.path)}, {
    ${membersOf(operation, "params")}
  });
${narrowing(operation, `"errorCode" in error`)}`,
    ),
    "hey-api": program(
      `import { ${names} } from "./${made.heyApi}";
import { createClient } from "./${made.heyApiClient}";
${address}
const client = createClient({ baseUrl });`,
      (operation) =>
        `  const { data, error } = await ${operation.operationId}(${optionsOf(operation, "client, ")});
${narrowing(operation, `"errorCode" in error`)}`,
    ),
    kubb: program(
      `import { ${names} } from "./${made.kubb}";
import type { ${operations.flatMap(errorTypes).join(", ")} } from "./${made.kubb}";`,
      // Its client gives the body of a refusal out as data: the partner has to say which type it is of.
      (operation) => `  const { data, status } = await ${operation.operationId}(${valuesOf(operation)});
  const error = status < 300 ? undefined : (data as unknown as ${errorTypes(operation).join(" | ")});
${narrowing(operation)}`,
    ),
  };
}

/** Operations with codes, and without a file to upload. */
function isUsual({ requestBody, answers }: Operation): boolean {
  const isUpload = requestBody?.bodies[0]?.mediaType.startsWith("multipart/") ?? false;
  return !isUpload && answers.some(({ codes }) => codes.length > 0);
}

function functionOf(operation: Operation, body: string): string {
  const codes = codesOf(operation).map((code) => JSON.stringify(code));
  return `export async function try_${operation.operationId}(): Promise<${codes.join(" | ")} | undefined> {
${body}
}`;
}

/**
 * Needs `data` and `error`. It compiles only where every code of the operation can be told apart, and where a code that the
 * operation does not have is refused: a client whose errors are `any` fails the bench instead of winning it.
 */
function narrowing(operation: Operation, more?: string): string {
  const cases = codesOf(operation).map(
    (code) => `      case ${JSON.stringify(code)}:\n        return error.errorCode;`,
  );
  return `  if (error !== undefined${more === undefined ? "" : ` && ${more}`}) {
    switch (error.errorCode) {
${cases.join("\n")}
      // @ts-expect-error
      case "no code of this operation":
    }
  }
  void data;
  return undefined;`;
}

function codesOf({ answers }: Operation): string[] {
  return [...new Set(answers.flatMap(({ status, codes }) => (status >= 400 ? codes : [])))];
}

/** The types that kubb made for the answers with codes. */
function errorTypes({ operationId, answers }: Operation): string[] {
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  return answers.flatMap(({ status, codes }) => (status >= 400 && codes.length > 0 ? [`${name}${status}`] : []));
}

function optionsOf(operation: Operation, more = ""): string {
  return `{ ${more}${membersOf(operation)} }`;
}

function membersOf(operation: Operation, wrapper?: string): string {
  const { path, query, body } = partsOf(operation);
  const parameters = [
    ...(path === undefined ? [] : [`path: ${path}`]),
    ...(query === undefined ? [] : [`query: ${query}`]),
  ];
  const wrapped =
    wrapper === undefined || parameters.length === 0 ? parameters : [`${wrapper}: { ${parameters.join(", ")} }`];
  return [...wrapped, ...(body === undefined ? [] : [`body: ${body}`])].join(", ");
}

function valuesOf(operation: Operation): string {
  const { query, body } = partsOf(operation);
  const path = Object.values(pathOf(operation)).map((value) => JSON.stringify(value));
  return [...path, ...(body === undefined ? [] : [body]), ...(query === undefined ? [] : [query])].join(", ");
}

/** Parts of a call as source text. */
function partsOf(operation: Operation): Partial<Record<"path" | "query" | "body", string>> {
  const query = operation.parameters.flatMap(({ name, in: place, example }) =>
    place === "query" ? [[name, example]] : [],
  );
  const path = pathOf(operation);
  const body = operation.requestBody?.bodies[0]?.examples[0]?.value;
  return {
    ...(Object.keys(path).length === 0 ? {} : { path: JSON.stringify(path) }),
    ...(query.length === 0 ? {} : { query: JSON.stringify(Object.fromEntries(query)) }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}
