import { reserializedRequests } from "./body.ts";
import { mustCloseConnection } from "./respond.ts";
import { startTimer } from "./timers.ts";

/** The members of IncomingMessage (node:http, Express) that the adapters use. */
export interface NodeRequest {
  method?: string | undefined;
  url?: string | undefined;
  /**
   * In Express, the complete request target; `url` lacks the mount path of a router. In Fastify, the target before `rewriteUrl`.
   */
  originalUrl?: string;
  headers: Record<string, string | string[] | undefined>;
  httpVersionMajor?: number;
  body?: unknown;
  /** The bytes before parsing, as NestJS keeps them with `rawBody: true`. */
  rawBody?: unknown;
  complete?: boolean;
  readableDidRead?: boolean;
  readableEnded?: boolean;
  destroyed?: boolean;
  on(event: "data" | "end" | "error" | "close", listener: (chunk: Uint8Array | string) => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
  /** The stream of an HTTP/2 request. Destroying it leaves the other streams of the connection open. */
  stream?: { destroy(): unknown };
}

/**
 * The request is paused when this many bytes of its body are buffered. A smaller body can arrive as a whole, and can then be read even if
 * its connection is lost.
 */
const highWaterMark = 64 * 1024;

export interface ConvertedRequest {
  request: Request;
  /** Ignores the rest of the body. */
  discard(): void;
}

export function toRequest(nodeRequest: NodeRequest, target: string): ConvertedRequest {
  const { method = "GET" } = nodeRequest;
  const headers = new Headers();
  for (const [name, value] of Object.entries(nodeRequest.headers)) {
    // HTTP/2 adds the method and the target to the headers, with names that begin with a colon.
    if (value !== undefined && !name.startsWith(":")) headers.set(name, [value].flat().join(", "));
  }
  const url = urlOf(target);
  const parserResult = parsedBody(nodeRequest);
  // These headers describe the bytes that the parser has read, not the body that it made of them.
  if (parserResult !== undefined) for (const name of ["content-length", "content-encoding"]) headers.delete(name);
  const { stream, discard } =
    parserResult === undefined ? streamOf(nodeRequest) : { stream: parserResult.body, discard: () => {} };
  const hasBody = method !== "GET" && method !== "HEAD";
  const init = { method, headers, ...(hasBody ? { body: stream, duplex: "half" } : {}) };
  const request = new Request(url, init as RequestInit);
  if (parserResult?.isSerialized) reserializedRequests.set(request, parserResult);
  // Consumes the body, so that the handler reports a body that was already read.
  if (parserResult?.isGone && hasBody) void request.text();
  return { request, discard };
}

/** With the host `localhost`. A path that begins with two slashes must not be parsed as a host. */
function urlOf(target: string): string {
  const { pathname, search } = new URL(target.startsWith("/") ? `http://localhost${target}` : target);
  return `http://localhost${pathname}${search}`;
}

interface ParsedBody {
  body: string | Uint8Array;
  /** Whether `body` is a parsed value that was serialized again. */
  isSerialized?: boolean;
  /** Whether the body was read, and no parser has kept it. */
  isGone?: boolean;
  /** The error of serializing the parsed body again. */
  problem?: unknown;
}

/**
 * Returns the body that a body parser has read; undefined if the stream is unread. A parser that does not handle the media type leaves the
 * stream unread, and `body` undefined or `{}`.
 */
function parsedBody(nodeRequest: NodeRequest): ParsedBody | undefined {
  try {
    const { rawBody, body } = nodeRequest;
    const wasRead = nodeRequest.readableDidRead === true;
    const content = contentOf(rawBody) ?? contentOf(body);
    if (content !== undefined && (content.length > 0 || wasRead)) return { body: content };
    const isEmpty = Object.keys(Object(body)).length === 0;
    if (!wasRead && isEmpty) return nodeRequest.readableEnded ? { body: "" } : undefined;
    const isGone = body === undefined && nodeRequest.headers["content-length"] !== "0";
    return { body: JSON.stringify(body) ?? "", isSerialized: true, isGone };
  } catch (error) {
    return { body: "", isSerialized: true, problem: error };
  }
}

function contentOf(value: unknown): string | Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return typeof value === "string" ? value : undefined;
}

/** Cancelling the stream leaves the connection open, so that the response can be sent. */
function streamOf(nodeRequest: NodeRequest): { stream: ReadableStream<Uint8Array>; discard(): void } {
  let isOpen = true;
  const discard = () => {
    isOpen = false;
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      const settle = (action: () => void) => () => {
        if (isOpen) action();
        isOpen = false;
      };
      const fail = settle(() => controller.error(new Error("The connection was lost.")));
      nodeRequest.on("data", (chunk) => {
        if (!isOpen) return;
        controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
        if (Number(controller.desiredSize) <= 0) nodeRequest.pause();
      });
      nodeRequest.on(
        "end",
        settle(() => controller.close()),
      );
      nodeRequest.on("error", fail);
      nodeRequest.on("close", fail);
      if (nodeRequest.destroyed) fail();
    },
    pull: () => void nodeRequest.resume(),
    cancel: discard,
  };
  return { stream: new ReadableStream(source, { highWaterMark, size: (chunk) => chunk.byteLength }), discard };
}

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

/** Milliseconds for which the rest of a refused body is read before the connection is closed. */
const lingerMs = 2_000;

/**
 * Sends a response. If the request is still arriving, the rest of it is read and discarded: closing a connection with unread bytes resets
 * it, and the caller may lose the response (RFC 9112, section 9.6). If the rest is long or does not arrive in time, the connection is
 * closed (for HTTP/2, only the stream).
 */
export async function sendResponse(
  response: Response,
  nodeRequest: NodeRequest,
  nodeResponse: NodeResponse,
  discard: () => void,
): Promise<void> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  discard();
  nodeRequest.resume();
  if (nodeResponse.headersSent || nodeResponse.writableEnded) return;
  nodeResponse.statusCode = response.status;
  const { complete, headers, httpVersionMajor = 1 } = nodeRequest;
  const isHttp1 = httpVersionMajor === 1;
  response.headers.forEach((value, name) => {
    // HTTP/2 has no `connection` header (RFC 9113, section 8.2.2).
    if (isHttp1 || name !== "connection") nodeResponse.setHeader(name, value);
  });
  if (complete !== false || !isHttp1) nodeResponse.end(bytes);
  else {
    if (mustCloseConnection((name) => headers[name])) nodeResponse.setHeader("connection", "close");
    // The length shows the caller that the response is complete before the connection is closed.
    nodeResponse.setHeader("content-length", String(bytes.length));
    nodeResponse.write(bytes);
  }
  if (complete !== false) return;
  const clear = startTimer(lingerMs, () => {
    end();
    if (nodeRequest.complete === false) (nodeRequest.stream ?? nodeRequest).destroy();
  });
  nodeRequest.on("end", end);
  nodeRequest.on("close", end);

  function end(): void {
    clear();
    nodeResponse.end();
  }
}
