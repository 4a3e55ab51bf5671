/** Sends a standard Response through a response of node:http. */
import { isLong } from "./body.ts";
import { later } from "./dedupe/timers.ts";
import type { NodeRequest } from "./node-request.ts";

/** The members of ServerResponse (node:http, Express) that the adapters use. */
export interface NodeResponse {
  statusCode: number;
  readonly headersSent?: boolean;
  readonly writableEnded?: boolean;
  setHeader(name: string, value: string): unknown;
  write(bytes: Uint8Array): unknown;
  end(bytes?: Uint8Array): unknown;
  on(event: "error", listener: () => void): unknown;
}

/** Milliseconds for which the rest of a refused body is read before the connection ends. */
const lingerMs = 5_000;

/**
 * Sends a response, unless another middleware has sent one.
 *
 * Where the request is still arriving, its rest is read and discarded: a connection that ends with unread bytes is reset, and
 * the caller may lose the response (RFC 9112, section 9.6). After a long rest the connection is closed.
 *
 * @param discard discards what the stream of the request still holds.
 */
export async function send(
  response: Response,
  incoming: NodeRequest,
  outgoing: NodeResponse,
  discard: () => void,
): Promise<void> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  discard();
  incoming.resume();
  if (outgoing.headersSent || outgoing.writableEnded) return;
  outgoing.statusCode = response.status;
  const { complete, headers, httpVersionMajor = 1 } = incoming;
  const isHttp1 = httpVersionMajor === 1;
  response.headers.forEach((value, name) => {
    // HTTP/2 has no such header (RFC 9113, section 8.2.2).
    if (isHttp1 || name !== "connection") outgoing.setHeader(name, value);
  });
  if (complete !== false || !isHttp1) {
    outgoing.end(bytes);
    return;
  }
  if (isLong((name) => headers[name])) outgoing.setHeader("connection", "close");
  // The caller has the whole response before it ends.
  outgoing.setHeader("content-length", String(bytes.length));
  outgoing.write(bytes);
  const clear = later(lingerMs, end);
  incoming.on("end", end);
  incoming.on("close", end);

  function end(): void {
    clear();
    outgoing.end();
  }
}
