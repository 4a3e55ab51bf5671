/** The programs whose type check is compared. */
import type { Contract, Operation } from "../contract/index.ts";
import { pathParametersOf, usualOperations } from "./samples.ts";
import { generated } from "./workshop.ts";

export const consumerNames = [
  "nothing imported",
  "partner-wallet-api/operations",
  "partner-wallet-api",
  "openapi-fetch",
  "hey-api",
  "kubb",
] as const;
export type ConsumerName = (typeof consumerNames)[number];

/** The consumers: programs that make the same calls, and tell all P-codes of each call apart. */
export function consumerPrograms(contract: Contract): Record<ConsumerName, string> {
  const operations = usualOperations(contract);
  const program = (head: string, body: (operation: Operation) => string) =>
    [head, ...operations.map((operation) => functionOf(operation, body(operation)))].join("\n");
  const names = operations.map(({ operationId }) => operationId).join(", ");
  const address = `const baseUrl = "https://api.example";`;
  return {
    "nothing imported": "export {};\n",
    "partner-wallet-api/operations": program(
      `import { createClient, ${names} } from "partner-wallet-api/operations";
${address}
const client = createClient({ baseUrl, depositBaseUrl: baseUrl, apiKey: "key" });`,
      (operation) => `  const { data, error } = await ${operation.operationId}(client, { ${optionsOf(operation)} });
${narrowing(operation)}`,
    ),
    "partner-wallet-api": program(
      `import { createPartnerClient } from "partner-wallet-api";
${address}
const client = createPartnerClient({ baseUrl, depositBaseUrl: baseUrl, apiKey: "key" });`,
      (operation) => `  const { data, error } = await client.${operation.operationId}({ ${optionsOf(operation)} });
${narrowing(operation)}`,
    ),
    "openapi-fetch": program(
      `import createClient from "openapi-fetch";
import type { paths } from "./${generated.openapiTypes}";
${address}
const client = createClient<paths>({ baseUrl });`,
      (operation) => {
        const call = `${operation.method.toUpperCase()}(${JSON.stringify(operation.path)}`;
        return `  const { data, error } = await client.${call}, { ${optionsOf(operation, "params")} });
${narrowing(operation, `"errorCode" in error`)}`;
      },
    ),
    "hey-api": program(
      `import { ${names} } from "./${generated.heyApi}";
import { createClient } from "./${generated.heyApiClient}";
${address}
const client = createClient({ baseUrl });`,
      (operation) => `  const { data, error } = await ${operation.operationId}({ client, ${optionsOf(operation)} });
${narrowing(operation, `"errorCode" in error`)}`,
    ),
    kubb: program(
      `import { ${names} } from "./${generated.kubb}";
import type { ${operations.flatMap(kubbErrorTypes).join(", ")} } from "./${generated.kubb}";`,
      // Its client returns the body of a refusal as data: the partner has to say which type it is of.
      (operation) => `  const { data, status } = await ${operation.operationId}(${positionalOf(operation)});
  const error = status < 300 ? undefined : (data as unknown as ${kubbErrorTypes(operation).join(" | ")});
${narrowing(operation)}`,
    ),
  };
}

function functionOf(operation: Operation, body: string): string {
  const codes = codesOf(operation).map((code) => JSON.stringify(code));
  return `export async function try_${operation.operationId}(): Promise<${codes.join(" | ")} | undefined> {
${body}
}`;
}

/**
 * The part of a function that handles `data` and `error`. It compiles only where every P-code of the operation can be told
 * apart and any other code is refused: a client whose errors are `any` fails here instead of looking cheap.
 *
 * @param condition what has to be checked besides that `error` is defined.
 */
function narrowing(operation: Operation, condition?: string): string {
  const cases = codesOf(operation).map((code) => `case ${JSON.stringify(code)}:\n        return error.errorCode;`);
  return `  if (error !== undefined${condition === undefined ? "" : ` && ${condition}`}) {
    switch (error.errorCode) {
      ${cases.join("\n      ")}
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

/** The types that kubb generates for the answers with P-codes. */
function kubbErrorTypes({ operationId, answers }: Operation): string[] {
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  return answers.flatMap(({ status, codes }) => (status >= 400 && codes.length > 0 ? [`${name}${status}`] : []));
}

/** The members of an options object. `wrapper` names the member that holds the parameters, if they have one. */
function optionsOf(operation: Operation, wrapper?: string): string {
  const { path, query, body } = partsOf(operation);
  const parameters = [path && `path: ${path}`, query && `query: ${query}`].filter(Boolean).join(", ");
  const wrapped = wrapper === undefined || parameters === "" ? parameters : `${wrapper}: { ${parameters} }`;
  return [wrapped, body && `body: ${body}`].filter(Boolean).join(", ");
}

/** The positional arguments of a call: path parameters, then body and query. */
function positionalOf(operation: Operation): string {
  const path = Object.values(pathParametersOf(operation)).map((value) => JSON.stringify(value));
  const { query, body } = partsOf(operation);
  return [...path, body, query].filter(Boolean).join(", ");
}

/** The parts of a call as source text, each undefined where the operation has none. */
function partsOf(operation: Operation): Record<"path" | "query" | "body", string | undefined> {
  const query = operation.parameters.flatMap(({ name, in: location, example }) =>
    location === "query" ? [[name, example]] : [],
  );
  const path = pathParametersOf(operation);
  const body = operation.requestBody?.bodies[0]?.examples[0]?.value;
  return {
    path: Object.keys(path).length === 0 ? undefined : JSON.stringify(path),
    query: query.length === 0 ? undefined : JSON.stringify(Object.fromEntries(query)),
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}
