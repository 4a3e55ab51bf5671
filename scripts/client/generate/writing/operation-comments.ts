import {
  type Contract,
  type DocumentedResponse,
  type ErrorCode,
  isSuccess,
  type OpenQuestions,
  type Operation,
  resolutionWithNames,
} from "../../../contract/model/index.ts";
import { proposedMark, typeName } from "../reading/facts.ts";
import { demandValue } from "../reading/refusal.ts";
import { experimentalLines, provenanceLines } from "./descriptions.ts";
import { oneLine } from "./text.ts";

/** The comment of an operation. @param typePrefix precedes the names of types: `operations.` in a file that imports the module as a whole. */
export function operationLines(
  contract: Contract,
  operation: Operation,
  questions: OpenQuestions,
  typePrefix: string,
): string[] {
  const responses = responseLines(contract, operation, operation.responses, {
    ofCode: ({ code, meaning }) => `${code}: ${oneLine(meaning)}`,
    ofOther: (response) => (isSuccess(response) ? oneLine(response.description) : firstSentence(response.description)),
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
  return oneLine(text).replace(/(?<=\.) (?=\p{Lu}).*/u, "");
}

/** The comment of the type of an operation's errors. */
export function errorLines(contract: Contract, operation: Operation): string[] {
  const { operationId, responses } = operation;
  const failures = responses.filter((response) => !isSuccess(response));
  return [
    `The errors of {@link ${operationId}}. Documented are:`,
    "",
    ...responseLines(contract, operation, failures, {
      ofCode: (entry) => adviceOf(entry, contract),
      ofOther: ({ description }) => oneLine(description),
    }),
    "",
    responses.some(({ isOpen }) => isOpen)
      ? "Other codes may occur: the list is not stated. An unreadable response or none is an error as well: see `kind`."
      : "Any other P-code, an unreadable response or none is an error as well: see `kind`.",
  ];
}

export function adviceOf(entry: ErrorCode, contract: Contract): string {
  return `\`${entry.code}\`: ${oneLine(entry.meaning)}. ${oneLine(resolutionWithNames(entry, contract))}`;
}

/** A line for each P-code of the responses, and for each response without a P-code. */
function responseLines(
  { errorCodes }: Contract,
  operation: Operation,
  responses: readonly DocumentedResponse[],
  text: { ofCode: (entry: ErrorCode) => string; ofOther: (response: DocumentedResponse) => string },
): string[] {
  const entries = new Map(errorCodes.map((entry) => [entry.code, entry]));
  return responses.flatMap((response) => {
    const { key, codeRefs } = response;
    if (codeRefs.length === 0) return [`- ${key}: ${text.ofOther(response)}${proposedMark(operation, response)}`];
    return codeRefs.map((ref) => {
      const entry = demandValue(entries.get(ref.code), ref.location, `There is no P-code ${ref.code}`, "Correct it");
      return `- ${key} ${text.ofCode(entry)}${proposedMark(operation, response, ref)}`;
    });
  });
}
