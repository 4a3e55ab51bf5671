/** Generates the file `operations.ts`: the function and the types of each operation. */
import { type Contract, isSuccess, type OpenQuestions, type Operation } from "../../../contract/model/index.ts";
import { isProposed, needsOptions, proposedMark, typeName } from "../reading/operation-facts.ts";
import { experimentalLines, provenanceLines } from "../writing/descriptions.ts";
import { contractTypesPath, generatedNotice, oneLine, toComment, toUnion } from "../writing/text.ts";
import { codeErrorTypes, importedTypesOf, operationTypes } from "./operation-types.ts";

export function operationsSource(contract: Contract, questions: OpenQuestions): string {
  const names = [...new Set(contract.operations.flatMap(importedTypesOf))].sort();
  const functions = contract.operations.map((operation) => {
    const comment = toComment(operationLines(contract, operation, questions, ""));
    return `${operationTypes(contract, operation, questions)}\n${comment}\n${functionOf(operation)}`;
  });
  const latestOperations = contract.operations.filter((operation) => !isProposed(operation));
  return `${generatedNotice}
import type { Client, CommonOptions, Failure, NoCodeError, Operation, PartnerApiError, Success } from "${contractTypesPath}";
import type { OtherError, UndocumentedError } from "./codes.ts";
import * as table from "./operation-table.ts";
import type { ${names.join(", ")} } from "./types.ts";

/** The name of an operation of the edition \`latest\`. */
export type LatestOperationName = ${toUnion(latestOperations.map(({ operationId }) => operationId))};

${codeErrorTypes(contract)}

/** The options of every operation, by its operationId. */
export interface OperationOptions {
${contract.operations.map((operation) => `  ${operation.operationId}: ${typeName(operation)}Options;\n`).join("")}}

/** The result of every operation, by its operationId. */
export interface OperationResults {
${contract.operations.map((operation) => `  ${operation.operationId}: ${typeName(operation)}Result;\n`).join("")}}

${functions.join("\n\n")}

function call<Result>(client: Client, operation: Operation, options?: object): Promise<Result> {
  if (typeof client?.["~call"] !== "function") throw new TypeError("The first argument must be a client, as createClient returns it.");
  return client["~call"](operation, options) as Promise<Result>;
}
`;
}

function functionOf(operation: Operation): string {
  const { operationId } = operation;
  const name = typeName(operation);
  const client = isProposed(operation) ? 'client: Client<"test">' : "client: Client";
  const options = `options${needsOptions(operation) ? "" : "?"}: ${name}Options`;
  return `export function ${operationId}(${client}, ${options}): Promise<${name}Result> {
  return call<${name}Result>(client, table.${operationId}, options);
}`;
}

/** The comment of an operation. @param typePrefix precedes the names of types: `operations.` in a file that imports the module as a whole. */
export function operationLines(
  contract: Contract,
  operation: Operation,
  questions: OpenQuestions,
  typePrefix: string,
): string[] {
  const meanings = new Map(contract.errorCodes.map(({ code, meaning }) => [code, oneLine(meaning)]));
  const responses = operation.responses.flatMap((response) => {
    const { key, codeRefs, description } = response;
    const codeLines = codeRefs.map((ref) => {
      return `- ${key} ${ref.code}: ${meanings.get(ref.code)}${proposedMark(operation, response, ref)}`;
    });
    if (codeLines.length > 0) return codeLines;
    const text = isSuccess(response) ? oneLine(description) : firstSentence(description);
    return [`- ${key}: ${text}${proposedMark(operation, response)}`];
  });
  const openKeys = operation.responses.filter(({ isOpen }) => isOpen).map(({ key }) => key);
  const errorType = `${typeName(operation)}Error`;
  const link = typePrefix === "" ? errorType : `${typePrefix}${errorType} ${errorType}`;
  return [
    ...experimentalLines(operation),
    `${operation.summary} (\`${operation.method.toUpperCase()} ${operation.path}\`)`,
    "",
    ...operation.description.trim().split("\n"),
    "",
    `Responses, with what to do about each in {@link ${link}}:`,
    ...responses,
    ...(openKeys.length === 0 ? [] : [`- ${openKeys.join(", ")}: other codes may occur`]),
    ...provenanceLines(operation, questions),
    ...(operation.deprecated ? ["", `@deprecated ${operation.deprecation}`] : []),
  ];
}

function firstSentence(text: string): string {
  return oneLine(text).replace(/(?<=\.) .*/, "");
}
