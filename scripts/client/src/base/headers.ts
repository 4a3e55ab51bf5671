/** Connection headers are refused: with them, `fetch` fails late, or waits for a body that never ends. */
const connectionHeaders = ["content-length", "expect", "keep-alive", "transfer-encoding", "upgrade"];

/** @throws {TypeError} if a header cannot be sent. The message does not contain the value of the header. */
export function toHeaders(headers: Headers | Readonly<Record<string, string>> | undefined): Headers {
  let result: Headers;
  try {
    result = new Headers(headers);
  } catch {
    throw new TypeError("headers has a name or a value that cannot be sent, such as a line break.");
  }
  const refusedName = connectionHeaders.find((name) => result.has(name));
  if (refusedName !== undefined) throw new TypeError(`headers has ${refusedName}, which only fetch itself can set.`);
  return result;
}
