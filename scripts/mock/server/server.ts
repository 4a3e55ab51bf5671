import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { memoize } from "../memoize.ts";
import { type MockRequest, maxBytesOf, type ReceivedBody } from "../request/body.ts";
import { BoundedBytes } from "../request/bounded-bytes.ts";
import { readTarget } from "../request/target.ts";
import { failureReply, type MockReply, textReply } from "../response/replies.ts";
import { AccessControl } from "./access.ts";

/**
 * A log entry of a request. It contains no header and no body, because these can be sensitive. The notes can contain received values, such
 * as ids and amounts, but none that the contract marks as sensitive, except countries that `openapi/mock.yaml` lists.
 */
export interface RequestEntry {
  /** When the response was sent or the connection was closed, in milliseconds since 1970. */
  time: number;
  method: string;
  /** The path template of the contract or the control interface; undefined when no template matches. */
  path: string | undefined;
  /** `drop`: the connection was closed without a response. */
  status: number | "drop";
  /** The P-code of the response. */
  code: string | undefined;
  milliseconds: number;
  notes: readonly string[];
}

export interface ServerOptions {
  /** Milliseconds without new data after which an unfinished body is answered with 408. */
  bodyTimeoutMs?: number;
  /** Milliseconds within which the headers must arrive. */
  headersTimeoutMs?: number;
  /** Milliseconds within which a client must read a response. */
  readTimeoutMs?: number;
  /**
   * Maximum number of connections. At the limit, a new connection replaces the one that has been idle for the longest time, or is
   * closed if none is idle.
   */
  maxConnections?: number;
  access?: AccessControl;
}

/** The time in milliseconds for which a client may continue to send a refused body before the connection is closed. */
const lingerMs = 2000;

/**
 * The server does not listen yet.
 *
 * @param respond returns the reply. If it throws or rejects, the reply is that of {@link failureReply}.
 * @param onRequest called for each response that was sent, or replaced by closing the connection. Its errors become process warnings.
 */
export function makeServer(
  respond: (request: MockRequest) => MockReply | Promise<MockReply>,
  onRequest: (entry: RequestEntry) => unknown,
  options: ServerOptions = {},
): Server {
  const { bodyTimeoutMs = 10_000, headersTimeoutMs = 10_000, readTimeoutMs = 30_000, maxConnections = 2048 } = options;
  const { access = new AccessControl() } = options;
  /** Open connections, each with the latest response on it (undefined before the first), least recently used first. */
  const connections = new Map<Socket, ServerResponse | undefined>();
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const startedAt = performance.now();
    const target = readTarget(request);
    if (connections.delete(request.socket)) connections.set(request.socket, response);
    // A disconnecting client is not an error.
    response.on("error", () => {});
    const finish = (reply: MockReply): void => {
      try {
        send(request, response, reply, { readTimeoutMs, cors: access.headersFor(request, target.path) });
        report(onRequest, request, reply, performance.now() - startedAt);
      } catch {
        // If the reply cannot be written, for example because a header is invalid, only this connection is closed.
        response.destroy();
      }
    };
    const reply = (decidedReply: MockReply): void => {
      if (decidedReply.delay) {
        const timer = setTimeout(() => finish(decidedReply), decidedReply.delay);
        response.once("close", () => clearTimeout(timer));
      } else finish(decidedReply);
    };
    const respondToBody = (body: ReceivedBody | undefined): void => {
      if (body === undefined) {
        finish(bodyTimeoutReply(bodyTimeoutMs));
        return;
      }
      try {
        const { headers } = request as { headers: MockRequest["headers"] };
        const decidedReply = respond({ method: target.method, path: target.path, query: target.query, headers, body });
        if (decidedReply instanceof Promise)
          decidedReply.then(reply).catch((error: unknown) => finish(failureReply(error)));
        else reply(decidedReply);
      } catch (error) {
        finish(failureReply(error));
      }
    };
    const refusal = access.refusalFor(request, target.path);
    if (refusal !== undefined) finish(refusal);
    else receiveBody(request, maxBytesOf(request.headers["content-type"], target.path), bodyTimeoutMs, respondToBody);
  };
  const server = createServer(
    { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: Math.min(1000, headersTimeoutMs) },
    handle,
  );
  server.on("connection", (socket) => {
    if (connections.size >= maxConnections) {
      const idleConnection = [...connections].find(
        ([, response]) => response === undefined || response.writableFinished,
      );
      (idleConnection?.[0] ?? socket).destroy();
    }
    connections.set(socket, undefined);
    socket.once("close", () => connections.delete(socket));
  });
  // In milliseconds. Many clients close idle connections sooner, so they do not reuse a connection that the server is closing.
  server.keepAliveTimeout = 65_000;
  // Without this listener, Node would refuse a request with an unknown Expect header before the mock sees it.
  server.on("checkExpectation", handle);
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    const maxBytes = maxBytesOf(request.headers["content-type"], readTarget(request).path);
    if (!(declaredLength(request) > maxBytes)) response.writeContinue();
    handle(request, response);
  });
  return server;
}

const emptyBody: ReceivedBody = { bytes: Buffer.alloc(0), isTooLarge: false };
const oversizedBody: ReceivedBody = { bytes: emptyBody.bytes, isTooLarge: true };

/**
 * @param maxBytes the maximum size. A larger body is discarded without waiting for its end.
 * @param idleTimeoutMs milliseconds without data after which the rest of the body is no longer awaited.
 * @param onBody called with undefined after this timeout. Not called when the client disconnects.
 */
function receiveBody(
  request: IncomingMessage,
  maxBytes: number,
  idleTimeoutMs: number,
  onBody: (body: ReceivedBody | undefined) => void,
): void {
  const length = declaredLength(request);
  if (length === 0 || length > maxBytes) {
    onBody(length === 0 ? emptyBody : oversizedBody);
    return;
  }
  const receivedBytes = new BoundedBytes(maxBytes);
  const settle = (body: ReceivedBody | undefined): void => {
    cleanUp();
    onBody(body);
  };
  const onData = (chunk: Buffer): void => {
    if (receivedBytes.add(chunk)) timer.refresh();
    else settle(oversizedBody);
  };
  const onEnd = (): void => settle({ bytes: receivedBytes.concat() ?? emptyBody.bytes, isTooLarge: false });
  const cleanUp = (): void => {
    clearTimeout(timer);
    request.off("data", onData).off("end", onEnd).off("close", cleanUp);
  };
  const timer = setTimeout(() => settle(undefined), idleTimeoutMs);
  request.on("data", onData).on("end", onEnd).on("close", cleanUp);
}

/** According to the headers; NaN for a chunked body. */
function declaredLength({ headers }: IncomingMessage): number {
  return headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Number.NaN;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: MockReply,
  { readTimeoutMs, cors }: { readTimeoutMs: number; cors: readonly string[] },
): void {
  const { status, headers, body, isCut } = reply;
  if (status === "drop" || (isCut && body === "")) {
    response.destroy();
    return;
  }
  const lines = [...headerLines(headers), ...cors];
  const length = Buffer.byteLength(body);
  if (status !== 204) lines.push("content-length", String(length));
  const isUnread = !request.complete && declaredLength(request) !== 0;
  if (isUnread) lines.push("connection", "close");
  response.writeHead(status, lines);
  if (isCut) {
    const bytes = Buffer.from(body);
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
    return;
  }
  // After a body timeout (408), the client has stopped sending, so the connection is closed immediately.
  if (isUnread) linger(request, response, body, status === 408 ? 0 : lingerMs);
  // For an ASCII body, both encodings give the same bytes, and latin1 is faster.
  else response.end(body, length === body.length ? "latin1" : "utf8");
  if (response.socket?.writableLength) destroyUnlessRead(response, readTimeoutMs);
}

const headerLines = memoize((headers: MockReply["headers"]) => Object.entries(headers).flat());

/** Sends a response before the request body has been read. The connection is closed later, so that the client can read the response. */
function linger(request: IncomingMessage, response: ServerResponse, body: string, milliseconds: number): void {
  response.flushHeaders();
  if (body !== "") response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, milliseconds).unref();
  request.once("end", end).once("close", end).resume();
}

function destroyUnlessRead(response: ServerResponse, readTimeoutMs: number): void {
  const timer = setTimeout(() => response.destroy(), readTimeoutMs).unref();
  response.once("close", () => clearTimeout(timer)).once("finish", () => clearTimeout(timer));
}

function report(
  onRequest: (entry: RequestEntry) => unknown,
  request: IncomingMessage,
  { template, status, code, notes }: MockReply,
  milliseconds: number,
): void {
  const method = request.method ?? "GET";
  try {
    const result = onRequest({ time: Date.now(), method, path: template, status, code, milliseconds, notes });
    if (result instanceof Promise) result.catch(warn);
  } catch (error) {
    warn(error);
  }
}

function warn(error: unknown): void {
  process.emitWarning(`onRequest failed: ${error instanceof Error ? error.stack : String(error)}`);
}

function bodyTimeoutReply(bodyTimeoutMs: number): MockReply {
  const text = `No byte of the body arrived within ${bodyTimeoutMs / 1000} s.`;
  return { ...textReply(408, text), notes: [text] };
}
