/** A part of `multipart/form-data` (RFC 7578). */

export interface Part {
  name: string;
  contentType: string;
  fileName: string | undefined;
  content: Buffer;
}

export class MultipartError extends Error {
  override name = "MultipartError";
}

const maxParts = 1000;
const maxHeaderBytes = 16 * 1024;

/** @throws {MultipartError} when the body is malformed, or has too many parts or too long headers; the message has no received data. */
export function parseMultipart(body: Buffer, boundary: string): Part[] {
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  const nextDelimiter = Buffer.from(`\r\n--${boundary}`, "latin1");
  const parts: Part[] = [];
  let position = skipPreamble(body, delimiter, nextDelimiter);
  while (body.toString("latin1", position, position + 2) !== "--") {
    if (parts.length === maxParts) throw new MultipartError(`must not have more than ${maxParts} parts`);
    const headersStart = endOfDelimiterLine(body, position);
    const headersEnd = body.indexOf("\r\n\r\n", headersStart);
    if (headersEnd === -1 || headersEnd - headersStart > maxHeaderBytes) {
      throw new MultipartError("must have headers of at most 16 KiB in each part, ended by an empty line");
    }
    const contentEnd = body.indexOf(nextDelimiter, headersEnd + 2);
    if (contentEnd === -1) throw new MultipartError("must end with its boundary");
    const content = body.subarray(headersEnd + 4, Math.max(headersEnd + 4, contentEnd));
    parts.push({ ...readHeaders(body.toString("utf8", headersStart, headersEnd)), content });
    position = contentEnd + nextDelimiter.length;
  }
  return parts;
}

function skipPreamble(body: Buffer, delimiter: Buffer, nextDelimiter: Buffer): number {
  if (body.subarray(0, delimiter.length).equals(delimiter)) return delimiter.length;
  const index = body.indexOf(nextDelimiter);
  if (index === -1) throw new MultipartError("must contain the boundary of its Content-Type");
  return index + nextDelimiter.length;
}

function endOfDelimiterLine(body: Buffer, position: number): number {
  const end = body.indexOf("\r\n", position);
  if (end === -1 || /[^ \t]/.test(body.toString("latin1", position, end))) {
    throw new MultipartError("must have a line end (CRLF) after each boundary");
  }
  return end + 2;
}

function readHeaders(text: string): Omit<Part, "content"> {
  const headers = new Map(
    text.split("\r\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const disposition = headers.get("content-disposition") ?? "";
  const name = /;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(disposition);
  if (!/^form-data\s*;/i.test(disposition) || name === null)
    throw new MultipartError("must have a form-data name in each part");
  const file = /;\s*filename\*?=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(disposition);
  // Without a Content-Type, a part is text/plain (RFC 7578, 4.4).
  return {
    name: name[1] ?? name[2] ?? "",
    contentType: headers.get("content-type") ?? "text/plain",
    fileName: file === null ? undefined : (file[1] ?? file[2] ?? ""),
  };
}
