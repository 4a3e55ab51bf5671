/** The types are flat and named, so that editors show them as written. */
import { found } from "../../contract/base/index.ts";
import {
  bodyOf,
  type Contract,
  type DocumentedResponse,
  type ErrorCode,
  isSuccess,
  type OpenQuestions,
  type Operation,
  type Parameter,
  type Part,
  provenanceAt,
  resolutionWithNames,
  type SourceLocation,
} from "../../contract/model/index.ts";
import { describe } from "./descriptions.ts";
import { experimentalNotice, oneLine, toComment, toKey, toLineComment, toMemberComment } from "./text.ts";

/** By the name of the schema of an amount in a request. */
export const brandedSchemas: ReadonlyMap<string, readonly string[]> = new Map([
  ["RequestDecimalString", ["DecimalInput"]],
  ["RequestAmount", ["DecimalInput", "number"]],
]);

export function typeName({ operationId }: Operation): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1);
}

export function isProposed({ provenance }: Operation): boolean {
  return provenance === "proposed";
}

export function needsOptions({ requestBody, parameters }: Operation): boolean {
  const requiredParameters = parameters.filter(
    ({ in: location, required }) => required && (location === "path" || location === "query"),
  );
  return requestBody !== undefined || requiredParameters.length > 0;
}

/** @param keys the place of an inline schema in the type of its operation in `types.ts`. */
type TypeOf = (schema: SourceLocation, ...keys: (string | number)[]) => string;

/** Also returns the names that the declarations import from `types.ts`. */
export function operationTypes(contract: Contract, operation: Operation, questions: OpenQuestions) {
  const name = typeName(operation);
  const { operationId } = operation;
  const names: string[] = [];
  const importName = (importedName: string) => {
    names.push(importedName);
    return importedName;
  };
  const requiresQuery = operation.parameters.some(({ in: location, required }) => location === "query" && required);
  const typeOf: TypeOf = (schema, ...keys) => {
    if (schema.target.id !== schema.id) return importName(schema.target.name);
    return [operationId, ...keys].reduce<string>((type, key) => {
      const member = `${type}[${JSON.stringify(key)}]`;
      return key === "query" && !requiresQuery ? `NonNullable<${member}>` : member;
    }, importName("operations"));
  };
  const successes = operation.responses.filter(isSuccess);
  const dataTypes = successes.map((success) => {
    const body = bodyOf(success);
    return body === undefined
      ? "undefined"
      : typeOf(body.schema, "responses", success.status, "content", body.mediaType);
  });
  const results = successes.map(({ status }, index) => `Success<${dataTypes[index]}, ${status}>`);
  const hasProposedData = successes.some((response) => proposedMark(operation, response) !== "");
  const dataSummary = `The data of {@link ${operationId}}.`;
  const text = `/** The options of {@link ${operationId}}. */
export interface ${name}Options extends CommonOptions {
${optionLines(operation, typeOf, questions).join("")}}

${hasProposedData ? toComment([experimentalNotice, "", dataSummary]) : `/** ${dataSummary} */`}
export type ${name}Data = ${[...new Set(dataTypes)].join(" | ") || "undefined"};

${toComment(errorLines(contract, operation))}
export type ${name}Error = ${errorTypes(operation).join(" | ")};

/** The result of {@link ${operationId}}: either \`data\` or \`error\`. */
export type ${name}Result = ${[...results, `Failure<${name}Error>`].join(" | ")};
`;
  return { text, names };
}

function optionLines({ parameters, requestBody }: Operation, typeOf: TypeOf, questions: OpenQuestions): string[] {
  const parameterGroups = ["path", "query"].flatMap((location) => {
    const groupParameters = parameters.filter((parameter) => parameter.in === location);
    if (groupParameters.length === 0) return [];
    const members = groupParameters.map((parameter) => parameterLines(parameter, typeOf, questions)).join("");
    const isRequired = groupParameters.some(({ required }) => required);
    return [`  ${location}${isRequired ? "" : "?"}: {\n${members}  }${isRequired ? "" : " | undefined"};\n`];
  });
  const body = requestBody && bodyOf(requestBody);
  if (body === undefined) return parameterGroups;
  const description = body.schema.at("description").value;
  const comment = typeof description === "string" ? `${toMemberComment(description.trim().split("\n"))}\n` : "";
  const type = typeOf(body.schema, "requestBody", "content", body.mediaType);
  return [...parameterGroups, `${comment}  body: ${type};\n`];
}

function parameterLines(parameter: Parameter, typeOf: TypeOf, questions: OpenQuestions): string {
  const { in: location, name, required, example, node, schema } = parameter;
  const comment = [...describe(node, questions).split("\n"), ...(example === undefined ? [] : [`@example ${example}`])];
  const member = `  ${toKey(name)}${required ? "" : "?"}: ${typeOf(schema, "parameters", location, name)};`;
  const commentText = comment.join("") === "" ? "" : `${toMemberComment(comment)}\n`;
  return `${`${commentText}${member}`.replace(/^/gm, "  ")}\n`;
}

function errorLines(contract: Contract, operation: Operation): string[] {
  const { operationId, responses } = operation;
  const entries = new Map(contract.errorCodes.map((entry) => [entry.code, entry]));
  const failures = responses.filter((response) => !isSuccess(response));
  const lines = failures.flatMap((response) => {
    const { key, codeRefs, description } = response;
    const codeLines = codeRefs.map((ref) => {
      const entry = found(entries.get(ref.code), `P-code ${ref.code}, which ${ref.location.pointer} names`);
      return `- ${key} ${adviceOf(entry, contract)}${proposedMark(operation, response, ref)}`;
    });
    return codeLines.length > 0 ? codeLines : [`- ${key}: ${oneLine(description)}${proposedMark(operation, response)}`];
  });
  return [
    `The errors of {@link ${operationId}}. Documented are:`,
    "",
    ...lines,
    "",
    responses.some(({ isOpen }) => isOpen)
      ? "Other codes may occur: the list is not stated. An unreadable response or none is an error as well: see `kind`."
      : "Any other P-code, an unreadable response or none is an error as well: see `kind`.",
  ];
}

export function proposedMark(operation: Operation, response: DocumentedResponse, part?: Part): string {
  const body = bodyOf(response);
  const bodyProvenance =
    body === undefined ? response.effectiveProvenance : provenanceAt(body.schema, response.effectiveProvenance);
  const isMarked = (part?.effectiveProvenance ?? bodyProvenance) === "proposed";
  return isMarked && !isProposed(operation) ? " (proposed)" : "";
}

function adviceOf(entry: ErrorCode, contract: Contract): string {
  return `\`${entry.code}\`: ${oneLine(entry.meaning)}. ${oneLine(resolutionWithNames(entry, contract))}`;
}

/** One type for each P-code: a hover over `errorCode` shows the codes that remain after narrowing. */
export function codeErrorTypes(contract: Contract): string {
  return contract.errorCodes
    .map(
      (
        entry,
      ) => `${toLineComment(`${entry.effectiveProvenance === "proposed" ? `${experimentalNotice} ` : ""}${entry.code}: ${entry.meaning}.`)}
export interface ${entry.code}Error<Status extends number> extends PartnerApiError {
  readonly kind: "code";
  readonly documented: true;
  readonly status: Status;
  ${toLineComment(`- ${adviceOf(entry, contract)}`)}
  readonly errorCode: "${entry.code}";
}`,
    )
    .join("\n\n");
}

function errorTypes({ responses }: Operation): string[] {
  const documentedTypes = responses
    .filter((response) => !isSuccess(response))
    .flatMap(({ status, codes }) =>
      codes.length > 0 ? codes.map((code) => `${code}Error<${status}>`) : [`NoCodeError<${status}>`],
    );
  return [...documentedTypes, "UndocumentedError", "OtherError"];
}
