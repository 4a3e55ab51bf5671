/** The HTTP side of the mock: reads requests and writes replies. No request can end the process. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { memoize } from "../memoize.ts";
import { limitOf, type MockRequest, type ReceivedBody } from "../request/body.ts";
import { failureReply, type MockReply, plainText } from "../response/replies.ts";
import { AccessControl } from "./access.ts";

/** One answered request, without anything that could be sensitive: no header, no body, no value of a parameter. */
export interface RequestEntry {
  /** When the response was sent, in milliseconds since 1970. */
  time: number;
  method: string;
  /** The path template of the contract; undefined when no path matches. */
  path: string | undefined;
  /** `drop`: the connection was closed without a response. */
  status: number | "drop";
  /** The P-code of the response. */
  code: string | undefined;
  milliseconds: number;
  notes: readonly string[];
}

export interface ServerOptions {
  /** Milliseconds without a byte of an unfinished body after which the request is answered with 408. */
  bodyTimeout?: number;
  /** Milliseconds in which the headers have to arrive. */
  headersTimeout?: number;
  /** Milliseconds in which a client has to take a response. */
  readTimeout?: number;
  /** Connections at the same time. For a further one, that which has waited for longest is closed. */
  maxConnections?: number;
  /** Who may use the control interface; by default, who listens at this machine. */
  access?: AccessControl;
}

/** Milliseconds in which a client may go on sending a body that was refused, so that it comes to read the response. */
const lingerTime = 2000;

/**
 * Makes a server, not yet listening, that answers with the function.
 *
 * @param response gives the reply, now or as a promise. When it fails, the response is a plain 500.
 * @param onRequest is told of each response. What it throws is reported as a warning of the process.
 */
export function makeServer(
  respond: (request: MockRequest) => MockReply | Promise<MockReply>,
  onRequest: (entry: RequestEntry) => unknown,
  options: ServerOptions = {},
): Server {
  const { bodyTimeout = 10_000, headersTimeout = 10_000, readTimeout = 30_000, maxConnections = 2048 } = options;
  const { access = new AccessControl() } = options;
  /** With what they were asked for last, which is longest ago for the first. However many stay idle, there is room for a new one. */
  const connections = new Map<Socket, ServerResponse | undefined>();
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const startedAt = performance.now();
    const target = readTarget(request);
    if (connections.delete(request.socket)) connections.set(request.socket, response);
    // A client that goes away while it is answered is no failure of this process.
    response.on("error", ignore);
    const finish = (reply: MockReply): void => {
      try {
        send(request, response, reply, { readTimeout, cors: access.headersFor(request, target.path) });
        report(onRequest, request, reply, performance.now() - startedAt);
      } catch {
        // For example a header that HTTP does not allow. A second failure ends the connection and not the process.
        response.destroy();
      }
    };
    const reply = (decided: MockReply): void => {
      if (decided.delay) {
        const timer = setTimeout(() => finish(decided), decided.delay);
        response.once("close", () => clearTimeout(timer));
      } else finish(decided);
    };
    const decide = (body: ReceivedBody | undefined): void => {
      if (body === undefined) {
        finish(late(bodyTimeout));
        return;
      }
      try {
        const { headers } = request as { headers: MockRequest["headers"] };
        const decided = respond({ method: target.method, path: target.path, query: target.query, headers, body });
        if (decided instanceof Promise) decided.then(reply).catch((error: unknown) => finish(failureReply(error)));
        else reply(decided);
      } catch (error) {
        finish(failureReply(error));
      }
    };
    const refused = access.refuse(request, target.path);
    if (refused !== undefined) finish(refused);
    else receiveBody(request, limitOf(request.headers["content-type"], target.path), bodyTimeout, decide);
  };
  const server = createServer({ headersTimeout, connectionsCheckingInterval: Math.min(1000, headersTimeout) }, handle);
  server.on("connection", (socket) => {
    if (connections.size >= maxConnections) {
      const idle = [...connections].find(([, response]) => response === undefined || response.writableFinished);
      (idle?.[0] ?? socket).destroy();
    }
    connections.set(socket, undefined);
    socket.once("close", () => connections.delete(socket));
  });
  // Longer than clients keep a connection that they do not use, so that none sends into one that is being closed.
  server.keepAliveTimeout = 65_000;
  // Without a listener Node itself refuses an unknown Expect header.
  server.on("checkExpectation", handle);
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    const limit = limitOf(request.headers["content-type"], readTarget(request).path);
    if (!(declaredLength(request) > limit)) response.writeContinue();
    handle(request, response);
  });
  return server;
}

function ignore(): void {}

const none: ReceivedBody = { bytes: Buffer.alloc(0), tooLarge: false };
const tooLarge: ReceivedBody = { bytes: none.bytes, tooLarge: true };

/**
 * Reads a body. Nothing of one that is too large is kept, and its end is not waited for.
 *
 * @param limit the most bytes that it may have.
 * @param patience milliseconds without a byte after which the body counts as lost.
 * @param done is called once: with the body, or with undefined when it was lost. It is not called when the client
 * disconnects before.
 */
function receiveBody(
  request: IncomingMessage,
  limit: number,
  patience: number,
  done: (body: ReceivedBody | undefined) => void,
): void {
  const length = declaredLength(request);
  if (length === 0 || length > limit) {
    done(length === 0 ? none : tooLarge);
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const settle = (body: ReceivedBody | undefined): void => {
    stop();
    done(body);
  };
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > limit) settle(tooLarge);
    else {
      chunks.push(chunk);
      timer.refresh();
    }
  };
  const onEnd = (): void => settle({ bytes: Buffer.concat(chunks, size), tooLarge: false });
  const stop = (): void => {
    clearTimeout(timer);
    request.off("data", onData).off("end", onEnd).off("close", stop);
  };
  const timer = setTimeout(() => settle(undefined), patience);
  request.on("data", onData).on("end", onEnd).on("close", stop);
}

/** The length of a body in bytes that the headers tell; NaN for chunks. */
function declaredLength({ headers }: IncomingMessage): number {
  return headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Number.NaN;
}

/** Shared by all requests without a query; nobody changes it. */
const noQuery = new URLSearchParams();

/** Splits the request target without `URL`, which resolves dot segments and rejects some targets. */
function readTarget(request: IncomingMessage): Pick<MockRequest, "method" | "path" | "query"> {
  const url = request.url ?? "/";
  const target = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "");
  const at = target.indexOf("?");
  const method = request.method ?? "GET";
  if (at === -1) return { method, path: target, query: noQuery };
  return { method, path: target.slice(0, at), query: new URLSearchParams(target.slice(at + 1)) };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: MockReply,
  { readTimeout, cors }: { readTimeout: number; cors: readonly string[] },
): void {
  const { status, headers, body, isCut } = reply;
  if (status === "drop" || (isCut && body === "")) {
    response.destroy();
    return;
  }
  const lines = [...linesOf(headers), ...cors];
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
  // Where the body was waited for in vain, there is nothing more to wait for.
  if (isUnread) linger(request, response, body, status === 408 ? 0 : lingerTime);
  // Node writes headers and body as one text where both have the same encoding; that of ASCII is the faster one.
  else response.end(body, length === body.length ? "latin1" : "utf8");
  if (response.socket?.writableLength) endUnlessTaken(response, readTimeout);
}

/** Headers as Node takes them fastest; those of a documented response are the same object each time. */
const linesOf = memoize((headers: MockReply["headers"]) => Object.entries(headers).flat());

/** Sends the response, and closes the connection when the client has read it: bytes that nobody takes would discard it. */
function linger(request: IncomingMessage, response: ServerResponse, body: string, time: number): void {
  response.flushHeaders();
  if (body !== "") response.write(body);
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, time).unref();
  request.once("end", end).once("close", end).resume();
}

/** Ends the connection of a client that does not take its response. */
function endUnlessTaken(response: ServerResponse, readTimeout: number): void {
  const timer = setTimeout(() => response.destroy(), readTimeout).unref();
  response.once("close", () => clearTimeout(timer)).once("finish", () => clearTimeout(timer));
}

/** Reports a response. A function that fails must not end the process. */
function report(
  onRequest: (entry: RequestEntry) => unknown,
  request: IncomingMessage,
  { template, status, code, notes }: MockReply,
  milliseconds: number,
): void {
  const method = request.method ?? "GET";
  try {
    const told = onRequest({ time: Date.now(), method, path: template, status, code, milliseconds, notes });
    if (told instanceof Promise) told.catch(warn);
  } catch (error) {
    warn(error);
  }
}

function warn(error: unknown): void {
  process.emitWarning(`onRequest failed: ${error instanceof Error ? error.stack : String(error)}`);
}

function late(bodyTimeout: number): MockReply {
  const text = `No byte of the body arrived within ${bodyTimeout / 1000} s.`;
  return { ...plainText(408, text), notes: [text] };
}
