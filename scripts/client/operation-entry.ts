/** Generates `operations.ts` of an edition: one function for each operation, with its types. */
import type { Contract, Edition, OpenQuestions, Operation } from "../contract/index.ts";
import { codeErrorTypes, needsOptions, operationTypes, typeName } from "./operation-types.ts";
import { provenanceLines } from "./provenance.ts";
import { generatedNotice, oneLine, runtimePath, toComment } from "./text.ts";

/** Returns the text of `operations.ts`. */
export function operationsSource(contract: Contract, edition: Edition, questions: OpenQuestions): string {
  const types = contract.operations.map((operation) => operationTypes(contract, operation, questions));
  const names = [...new Set([...types.flatMap((each) => each.names), "paths"])].sort();
  const functions = contract.operations.map(
    (operation, index) => `${types[index]?.text}
${toComment(operationLines(contract, operation, questions, ""))}
${functionOf(operation)}`,
  );
  const codes = contract.errorCodes.map(({ code }) => JSON.stringify(code));
  return `${generatedNotice}
import { call } from "${runtimePath}/call.ts";
import { type Client, makeClient } from "${runtimePath}/client.ts";
import type { PartnerApiError } from "${runtimePath}/errors.ts";
import { type Explanation, explainCall } from "${runtimePath}/explain.ts";
import type { ClientOptions } from "${runtimePath}/options.ts";
import { makeRawClient, type RawClient } from "${runtimePath}/raw.ts";
import type { CommonOptions, Failure, NoCodeError, OtherError, Success } from "${runtimePath}/types.ts";
import { contract } from "./contract.ts";
import * as table from "./operation-table.ts";
import type { ${names.join(", ")} } from "./types.ts";

/** Every P-code of the catalogue. An operation may answer any of them, whether the contract documents it there or not. */
export type CatalogueCode = ${codes.length === 0 ? "never" : codes.join(" | ")};

/** The error of a P-code of the catalogue that the contract does not document for the operation, or not with this status. */
export interface UndocumentedError extends PartnerApiError {
  readonly kind: "code";
  readonly documented: false;
  readonly status: number;
  /** - A P-code that is not documented for this call and status: \`documented\` is false. */
  readonly errorCode: CatalogueCode;
}

${codeErrorTypes(contract)}

/**
 * Creates a client of the edition ${edition}: the first argument of every function of an operation.
 *
 * @throws {TypeError} when a base URL or the API key is missing or malformed, or another option is.
 */
export function createClient(options: ClientOptions = {}): Client {
  return makeClient(options, contract);
}

/**
 * Describes what a call would send, as a curl command without sensitive values, and which responses are documented. A program
 * that uses it carries the table of all operations.
 *
 * @param options the \`path\`, \`query\` and \`body\` of the call.
 * @throws {TypeError} when there is no such operation, or the call cannot be sent.
 */
export function explain<Name extends keyof OperationOptions>(
  client: Client,
  operationId: Name,
  options?: Omit<OperationOptions[Name], keyof CommonOptions>,
): Explanation {
  return explainCall(client, table, operationId, options);
}

/**
 * Creates the openapi-fetch client underneath, for requests that the functions do not cover. It has the addresses, the key,
 * the headers and the \`fetch\` of the client, and otherwise behaves as openapi-fetch does: no timeout, no retries, no redaction.
 */
export function createRawClient(client: Client): RawClient<paths> {
  return makeRawClient<paths>(client, table);
}

/** The options of every operation, by its operationId. */
export interface OperationOptions {
${contract.operations.map((operation) => `  ${operation.operationId}: ${typeName(operation)}Options;\n`).join("")}}

/** The result of every operation, by its operationId. */
export interface OperationResults {
${contract.operations.map((operation) => `  ${operation.operationId}: ${typeName(operation)}Result;\n`).join("")}}

${functions.join("\n\n")}

export * from "${runtimePath}/exports.ts";
`;
}

function functionOf(operation: Operation): string {
  const { operationId } = operation;
  const name = typeName(operation);
  const optional = needsOptions(operation) ? "" : "?";
  return `export function ${operationId}(client: Client, options${optional}: ${name}Options): Promise<${name}Result> {
  return call<${name}Result>(client, table.${operationId}, options);
}`;
}

/**
 * The comment of an operation: what it does, its answers, what is open, and where all of this comes from.
 *
 * @param scope where the comment finds the types of the operation: `operations.`, or empty in `operations.ts`.
 */
export function operationLines(
  contract: Contract,
  operation: Operation,
  questions: OpenQuestions,
  scope: string,
): string[] {
  const meanings = new Map(contract.errorCodes.map(({ code, meaning }) => [code, meaning]));
  const responses = operation.answers.flatMap(({ key, status, codes, description }) => {
    if (codes.length > 0) return codes.map((code) => `- ${key} ${code}: ${meanings.get(code)}`);
    return [`- ${key}: ${status < 300 ? oneLine(description) : firstSentence(description)}`];
  });
  const errorType = `${typeName(operation)}Error`;
  const link = scope === "" ? errorType : `${scope}${errorType} ${errorType}`;
  return [
    `${operation.summary} (\`${operation.method.toUpperCase()} ${operation.path}\`)`,
    "",
    ...operation.description.trim().split("\n"),
    "",
    `Responses, with what to do about each in {@link ${link}}:`,
    ...responses,
    ...provenanceLines(operation, questions),
    ...(operation.deprecated ? ["", "@deprecated Marked obsolete by the service."] : []),
  ];
}

function firstSentence(text: string): string {
  return oneLine(text).replace(/(?<=\.) .*/, "");
}
