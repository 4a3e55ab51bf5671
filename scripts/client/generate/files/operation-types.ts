/** The types are flat and named, so that editors show them as written. */
import {
  bodyOf,
  type Contract,
  type ErrorCode,
  isSuccess,
  type OpenQuestions,
  type Operation,
  type Parameter,
  resolutionWithNames,
  type SourceLocation,
} from "../../../contract/model/index.ts";
import { proposedMark, typeName } from "../reading/operation-facts.ts";
import { demandValue } from "../reading/refusal.ts";
import { describe } from "../writing/descriptions.ts";
import { experimentalNotice, oneLine, toComment, toKey, toLineComment, toMemberComment } from "../writing/text.ts";

/** The type in `types.ts` that has the types of inline schemas. */
const operationsType = "operations";

function importedTypeOf(schema: SourceLocation): string {
  return schema.target.id === schema.id ? operationsType : schema.target.name;
}

/** The types of `types.ts` that the types of an operation use. */
export function importedTypesOf({ parameters, requestBody, responses }: Operation): string[] {
  const messages = [...(requestBody === undefined ? [] : [requestBody]), ...responses.filter(isSuccess)];
  const bodies = messages.flatMap((message) => bodyOf(message) ?? []);
  return [...parameters, ...bodies].map(({ schema }) => importedTypeOf(schema));
}

/** @param keys the place of an inline schema in the type of its operation in `types.ts`. */
type TypeOf = (schema: SourceLocation, ...keys: (string | number)[]) => string;

export function operationTypes(contract: Contract, operation: Operation, questions: OpenQuestions): string {
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

function errorLines(contract: Contract, operation: Operation): string[] {
  const { operationId, responses } = operation;
  const entries = new Map(contract.errorCodes.map((entry) => [entry.code, entry]));
  const failures = responses.filter((response) => !isSuccess(response));
  const lines = failures.flatMap((response) => {
    const { key, codeRefs, description } = response;
    const codeLines = codeRefs.map((ref) => {
      const entry = demandValue(entries.get(ref.code), ref.location, `There is no P-code ${ref.code}`, "Correct it");
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

function adviceOf(entry: ErrorCode, contract: Contract): string {
  return `\`${entry.code}\`: ${oneLine(entry.meaning)}. ${oneLine(resolutionWithNames(entry, contract))}`;
}

/** One type for each P-code: a hover over `errorCode` shows the codes that remain after narrowing. */
export function codeErrorTypes(contract: Contract): string {
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
