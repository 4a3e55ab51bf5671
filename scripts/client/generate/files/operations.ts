/** Generates the file `operations.ts`: the function and the types of each operation. */
import {
  type Contract,
  type ErrorCode,
  isSuccess,
  type OpenQuestions,
  type Operation,
  type Parameter,
  type SourceLocation,
} from "../../../contract/model/index.ts";
import { bodyOf } from "../reading/bodies.ts";
import { isProposed, needsOptions, proposedMark, typeName } from "../reading/facts.ts";
import { describe } from "../writing/descriptions.ts";
import { adviceOf, errorLines, operationLines } from "../writing/operation-comments.ts";
import {
  contractTypesPath,
  experimentalNotice,
  generatedNotice,
  toComment,
  toKey,
  toLineComment,
  toMemberComment,
  toUnion,
} from "../writing/text.ts";

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

/** The type in `types.ts` that has the types of inline schemas. */
const operationsType = "operations";

function importedTypeOf(schema: SourceLocation): string {
  return schema.target.id === schema.id ? operationsType : schema.target.name;
}

/** The types of `types.ts` that the types of an operation use. */
function importedTypesOf({ parameters, requestBody, responses }: Operation): string[] {
  const messages = [...(requestBody === undefined ? [] : [requestBody]), ...responses.filter(isSuccess)];
  const bodies = messages.flatMap((message) => bodyOf(message) ?? []);
  return [...parameters, ...bodies].map(({ schema }) => importedTypeOf(schema));
}

/** @param keys the place of an inline schema in the type of its operation in `types.ts`. */
type TypeOf = (schema: SourceLocation, ...keys: (string | number)[]) => string;

/** The types are flat and named, so that editors show them as written. */
function operationTypes(contract: Contract, operation: Operation, questions: OpenQuestions): string {
  const name = typeName(operation);
  const { operationId } = operation;
  const requiresQuery = operation.parameters.some(({ in: group, required }) => group === "query" && required);
  const typeOf: TypeOf = (schema, ...keys) => {
    const importedType = importedTypeOf(schema);
    if (importedType !== operationsType) return importedType;
    return [operationId, ...keys].reduce<string>((type, key) => {
      const member = `${type}[${JSON.stringify(key)}]`;
      return key === "query" && !requiresQuery ? `NonNullable<${member}>` : member;
    }, importedType);
  };
  const successes = operation.responses.filter(isSuccess);
  const data = successes.flatMap(({ status, bodies }) =>
    bodies.map(({ schema, mediaType }) => ({
      status,
      type: typeOf(schema, "responses", status, "content", mediaType),
    })),
  );
  const hasProposedData = successes.some((response) => proposedMark(operation, response) !== "");
  const results = data.map(({ status, type }) => `Success<${type}, ${status}>`);
  const dataSummary = `The data of {@link ${operationId}}.`;
  return `/** The options of {@link ${operationId}}. */
export interface ${name}Options extends CommonOptions {
${optionLines(operation, typeOf, questions).join("")}}

${hasProposedData ? toComment([experimentalNotice, "", dataSummary]) : `/** ${dataSummary} */`}
export type ${name}Data = ${[...new Set(data.map(({ type }) => type))].join(" | ")};

${toComment(errorLines(contract, operation))}
export type ${name}Error = ${errorTypes(operation).join(" | ")};

/** The result of {@link ${operationId}}: either \`data\` or \`error\`. */
export type ${name}Result = ${[...results, `Failure<${name}Error>`].join(" | ")};
`;
}

function optionLines({ parameters, requestBody }: Operation, typeOf: TypeOf, questions: OpenQuestions): string[] {
  const parameterGroups = ["path", "query"].flatMap((group) => {
    const groupParameters = parameters.filter((parameter) => parameter.in === group);
    if (groupParameters.length === 0) return [];
    const members = groupParameters.map((parameter) => parameterLines(parameter, typeOf, questions)).join("");
    const isRequired = groupParameters.some(({ required }) => required);
    return [`  ${group}${isRequired ? "" : "?"}: {\n${members}  }${isRequired ? "" : " | undefined"};\n`];
  });
  const body = requestBody && bodyOf(requestBody);
  if (body === undefined) return parameterGroups;
  const description = body.schema.at("description").value;
  const comment = typeof description === "string" ? `${toMemberComment(description.trim().split("\n"))}\n` : "";
  const type = typeOf(body.schema, "requestBody", "content", body.mediaType);
  return [...parameterGroups, `${comment}  body: ${type};\n`];
}

function parameterLines(parameter: Parameter, typeOf: TypeOf, questions: OpenQuestions): string {
  const { in: group, name, required, example, node, schema } = parameter;
  const comment = [
    ...describe(node, questions).split("\n"),
    ...(example === undefined ? [] : [`@example ${typeof example === "string" ? example : JSON.stringify(example)}`]),
  ];
  const member = `  ${toKey(name)}${required ? "" : "?"}: ${typeOf(schema, "parameters", group, name)};`;
  const commentText = comment.join("") === "" ? "" : `${toMemberComment(comment)}\n`;
  const lines = `${commentText}${member}`.replace(/^/gm, "  ");
  return `${lines}\n`;
}

/** One type for each P-code: a hover over `errorCode` shows the codes that remain after narrowing. */
function codeErrorTypes(contract: Contract): string {
  return contract.errorCodes.map((entry) => codeErrorType(entry, contract)).join("\n\n");
}

function codeErrorType(entry: ErrorCode, contract: Contract): string {
  const { code, meaning, effectiveProvenance } = entry;
  const notice = effectiveProvenance === "proposed" ? `${experimentalNotice} ` : "";
  return `${toLineComment(`${notice}${code}: ${meaning}.`)}
export interface ${code}Error<Status extends number> extends PartnerApiError {
  readonly kind: "code";
  readonly documented: true;
  readonly status: Status;
  ${toLineComment(`- ${adviceOf(entry, contract)}`)}
  readonly errorCode: "${code}";
}`;
}

function errorTypes({ responses }: Operation): string[] {
  const documentedTypes = responses
    .filter((response) => !isSuccess(response))
    .flatMap(({ status, codes }) =>
      codes.length > 0 ? codes.map((code) => `${code}Error<${status}>`) : [`NoCodeError<${status}>`],
    );
  return [...documentedTypes, "UndocumentedError", "OtherError"];
}
