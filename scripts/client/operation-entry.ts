/** Generates `operations.ts`: one function for each operation, with its types. */
import type { Contract, OpenQuestions, Operation } from "../contract/index.ts";
import {
  clientType,
  codeErrorTypes,
  isProposed,
  needsOptions,
  operationTypes,
  proposedMark,
  typeName,
} from "./operation-types.ts";
import { experimentalLines, provenanceLines } from "./provenance.ts";
import { generatedNotice, oneLine, runtimePath, toComment } from "./text.ts";

/** Returns the text of `operations.ts`. */
export function operationsSource(contract: Contract, questions: OpenQuestions): string {
  const types = contract.operations.map((operation) => operationTypes(contract, operation, questions));
  const names = [...new Set([...types.flatMap((each) => each.names), "paths"])].sort();
  const functions = contract.operations.map(
    (operation, index) => `${types[index]?.text}
${toComment(operationLines(contract, operation, questions, ""))}
${functionOf(operation)}`,
  );
  const codes = contract.errorCodes.map(({ code }) => JSON.stringify(code));
  const latest = contract.operations.filter((operation) => !isProposed(operation));
  return `${generatedNotice}
import { call } from "${runtimePath}/call.ts";
import { type Client, makeClient } from "${runtimePath}/client.ts";
import type { PartnerApiError } from "${runtimePath}/errors.ts";
import { type Explanation, explainCall } from "${runtimePath}/explain.ts";
import type { ClientOptions, TestClientOptions } from "${runtimePath}/client-options.ts";
import { makeRawClient, type RawClient } from "${runtimePath}/raw.ts";
import type { CommonOptions, Failure, NoCodeError, OtherError, Success } from "${runtimePath}/types.ts";
import { contract } from "./contract.ts";
import * as table from "./operation-table.ts";
import type { ${names.join(", ")} } from "./types.ts";

/** Every P-code of the catalogue. An operation may answer any of them, whether the contract documents it there or not. */
export type CatalogueCode = ${codes.length === 0 ? "never" : codes.join(" | ")};

/** The name of an operation of the edition \`latest\`. */
export type LatestOperationName = ${latest.map(({ operationId }) => JSON.stringify(operationId)).join(" | ") || "never"};

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
 * Creates a client of the edition \`test\`: the first argument of every function of an operation.
 *
 * ${clientErrors}
 */
export function createClient(options: TestClientOptions): Client<"test">;
/**
 * Creates a client: the first argument of every function of an operation. The proposed operations need \`edition: "test"\`.
 *
 * ${clientErrors}
 */
export function createClient(options?: ClientOptions): Client;
export function createClient(options: ClientOptions = {}): Client {
  return makeClient(options, contract);
}

/**
 * Describes what a call would send, as a curl command without sensitive values, and which responses are documented. A program
 * that uses it carries the table of all operations.
 *
 * @param options the \`path\`, \`query\` and \`body\` of the call.
 * @throws {TypeError} when the client has no such operation, or the call cannot be sent.
 */
export function explain<Name extends keyof OperationOptions>(
  client: Name extends LatestOperationName ? Client : Client<"test">,
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

/** What the functions that create a client throw. */
export const clientErrors =
  "@throws {TypeError} when a base URL or the API key is missing or malformed, or another option is.";

function functionOf(operation: Operation): string {
  const { operationId } = operation;
  const name = typeName(operation);
  const optional = needsOptions(operation) ? "" : "?";
  return `export function ${operationId}(client: ${clientType(operation)}, options${optional}: ${name}Options): Promise<${name}Result> {
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
  const responses = operation.answers.flatMap((answer) => {
    const { key, status, codeRefs, description } = answer;
    const known = codeRefs.map((ref) => {
      return `- ${key} ${ref.code}: ${meanings.get(ref.code)}${proposedMark(operation, answer, ref.place)}`;
    });
    if (known.length > 0) return known;
    const text = status < 300 ? oneLine(description) : firstSentence(description);
    return [`- ${key}: ${text}${proposedMark(operation, answer)}`];
  });
  const open = operation.answers.filter(({ isOpen }) => isOpen).map(({ key }) => key);
  const errorType = `${typeName(operation)}Error`;
  const link = scope === "" ? errorType : `${scope}${errorType} ${errorType}`;
  return [
    ...experimentalLines(operation),
    `${operation.summary} (\`${operation.method.toUpperCase()} ${operation.path}\`)`,
    "",
    ...operation.description.trim().split("\n"),
    "",
    `Responses, with what to do about each in {@link ${link}}:`,
    ...responses,
    ...(open.length === 0 ? [] : [`- ${open.join(", ")}: other codes may occur`]),
    ...provenanceLines(operation, questions),
    ...(operation.deprecated ? ["", "@deprecated Marked obsolete by the service."] : []),
  ];
}

function firstSentence(text: string): string {
  return oneLine(text).replace(/(?<=\.) .*/, "");
}
