/** Turns an HTTP response into data or an error. */
import { rememberText } from "./exact-numbers.ts";
import { readFailure } from "./failure.ts";
import {
  contentTypeProblem,
  has,
  hasCodes,
  parseJson,
  type Reader,
  type Reading,
  report,
  unexpected,
} from "./reading.ts";

/** The data of a success without a body, where only a message is expected. */
const emptyMessage = '{"message":""}';

/**
 * Reads a response. What the contract does not document is read tolerantly, because parts of the contract are inferred:
 * any 2xx with a readable body is a success, and a P-code of the catalogue is read with any status. A readable body is a
 * JSON object or array, whatever its media type says; of an operation that answers with a page, a text of that type.
 *
 * Where only `{ message }` is expected, a response without a body (204 as well) and a JSON body of another type are
 * successes with the data `{ message: "" }`.
 *
 * @returns the parsed body of a success; an error for every other response, documented or not.
 */
export function readResponse(reader: Reader): Reading | Promise<Reading> {
  const { status } = reader.response;
  if (status >= 200 && status < 300) return readSuccess(reader);
  if (reader.operation.answers[status] === undefined) report(reader, "status");
  return status >= 300 && status < 400 ? unexpected(reader, "redirects are not followed") : readFailure(reader);
}

function readSuccess(reader: Reader): Reading {
  const { operation, response } = reader;
  const codes = operation.answers[response.status];
  if (codes === undefined) report(reader, "status");
  if (operation.accept !== undefined) return readPage(reader, operation.accept);
  const mayBeEmpty = operation.message === true && !hasCodes(codes);
  if (response.text === "" && mayBeEmpty) {
    if (response.status !== 204) report(reader, "body");
    return success(reader, JSON.parse(emptyMessage), emptyMessage);
  }
  const { value, problem } = parseJson(reader);
  if (problem !== undefined) return unexpected(reader, `${problem}; the call may have succeeded`);
  if (typeof value === "object" && value !== null) {
    const { errorCode } = value as { errorCode?: unknown };
    if (typeof errorCode === "string" && !has(codes, errorCode)) report(reader, "error-code", "/errorCode");
    return success(reader, value, response.text);
  }
  report(reader, "body");
  if (mayBeEmpty) return success(reader, JSON.parse(emptyMessage), emptyMessage);
  return unexpected(reader, "the body is not a JSON object or array; the call may have succeeded");
}

function readPage(reader: Reader, accept: string): Reading {
  const { contentType, text } = reader.response;
  const isPage = contentType.startsWith(accept);
  if (isPage && text !== "") return { data: text, error: undefined, body: undefined, found: reader.found };
  report(reader, isPage ? "body" : "media-type");
  return unexpected(reader, isPage ? "the body is empty" : contentTypeProblem(reader));
}

function success({ found }: Reader, data: object, text: string): Reading {
  rememberText(data, text);
  return { data, error: undefined, body: data, found };
}
