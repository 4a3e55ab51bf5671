/** The HTTP side of the mock: reads requests and writes replies. No request can end the process. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { MockReply, MockRequest } from "../answer/answer.ts";
import { JournalError } from "../journal/journal.ts";
import { isDeclaredTooLarge, receiveBody } from "../request/receive.ts";

/** One answered request, without anything that could be sensitive: no header, no body, no value of a parameter. */
export interface RequestEntry {
  /** When the answer was sent, in milliseconds since 1970. */
  time: number;
  method: string;
  /** The path template of the contract; undefined when no path matches. */
  path: string | undefined;
  /** `drop`: the connection was closed without an answer. */
  status: number | "drop";
  /** The P-code of the answer. */
  code: string | undefined;
  milliseconds: number;
  notes: readonly string[];
}

/** What is sent: a reply, perhaps later, or nothing at all. */
export interface ServedReply extends Omit<MockReply, "status" | "notes"> {
  /** `drop` closes the connection without an answer. */
  status: number | "drop";
  /** Milliseconds to wait before it is sent. */
  delay?: number | undefined;
  notes: readonly string[];
}

export interface ServerOptions {
  /** Milliseconds without a byte of an unfinished body after which the request is answered with 408. */
  bodyTimeout?: number;
  /** Milliseconds in which the headers have to arrive. */
  headersTimeout?: number;
  /** Milliseconds in which a client has to take an answer. */
  readTimeout?: number;
  /** Connections at the same time; further ones are closed. */
  maxConnections?: number;
}

/** Headers that let a page of any origin call the mock and read all of its answers. */
const crossOriginHeaders = ["access-control-allow-origin", "*", "access-control-expose-headers", "*"] as const;

/** Milliseconds in which a client may go on sending a body that was refused, so that it comes to read the answer. */
const lingerTime = 2000;

/**
 * Makes a server, not yet listening, that answers with the function.
 *
 * @param answer gives the reply, now or as a promise. When it fails, the answer is a plain 500.
 * @param onRequest is told of each answer. What it throws is reported as a warning of the process.
 */
export function makeServer(
  answer: (request: MockRequest) => ServedReply | Promise<ServedReply>,
  onRequest: (entry: RequestEntry) => unknown,
  options: ServerOptions = {},
): Server {
  const { bodyTimeout = 10_000, headersTimeout = 10_000, readTimeout = 30_000, maxConnections = 2048 } = options;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const startedAt = performance.now();
    // A client that goes away while it is answered is no failure of this process.
    response.on("error", ignore);
    const finish = (reply: ServedReply): void => {
      try {
        send(request, response, reply, readTimeout);
        tell(onRequest, request, reply, performance.now() - startedAt);
      } catch {
        // For example a header that HTTP does not allow. A second failure ends the connection and not the process.
        response.destroy();
      }
    };
    const reply = (decided: ServedReply): void => {
      const { delay = 0 } = decided;
      if (delay > 0) {
        const timer = setTimeout(() => finish(decided), delay);
        response.once("close", () => clearTimeout(timer));
      } else finish(decided);
    };
    receiveBody(request, bodyTimeout, (body) => {
      if (body === undefined) return finish(late(bodyTimeout));
      try {
        const decided = answer({ ...readTarget(request), headers: request.headers, body });
        if (decided instanceof Promise) decided.then(reply).catch((error: unknown) => finish(failed(error)));
        else reply(decided);
      } catch (error) {
        finish(failed(error));
      }
    });
  };
  const server = createServer({ headersTimeout, connectionsCheckingInterval: Math.min(1000, headersTimeout) }, handle);
  server.maxConnections = maxConnections;
  // Longer than clients keep a connection that they do not use, so that none sends into one that is being closed.
  server.keepAliveTimeout = 65_000;
  // Without a listener Node itself refuses an unknown Expect header.
  server.on("checkExpectation", handle);
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    if (!isDeclaredTooLarge(request)) response.writeContinue();
    handle(request, response);
  });
  return server;
}

function ignore(): void {}

/** Splits the request target without `URL`, which resolves dot segments and rejects some targets. */
function readTarget(request: IncomingMessage): Pick<MockRequest, "method" | "path" | "query"> {
  const url = request.url ?? "/";
  const target = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "");
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1));
  return { method: request.method ?? "GET", path, query };
}

function send(request: IncomingMessage, response: ServerResponse, reply: ServedReply, readTimeout: number): void {
  const { status, headers, body } = reply;
  if (status === "drop") {
    response.destroy();
    return;
  }
  const lines: string[] = [...crossOriginHeaders];
  for (const name in headers) lines.push(name, headers[name] as string);
  if (status !== 204) lines.push("content-length", String(Buffer.byteLength(body)));
  const isUnread = !request.complete && hasBody(request);
  if (isUnread) lines.push("connection", "close");
  response.writeHead(status, lines);
  // Where the body was waited for in vain, there is nothing more to wait for.
  if (isUnread) linger(request, response, body, status === 408 ? 0 : lingerTime);
  else response.end(body);
  if (!isUnread && (response.socket?.writableLength ?? 0) > 0) endUnlessTaken(response, readTimeout);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Sends the answer, and closes the connection when the client has read it: bytes that nobody takes would discard it. */
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

/** Ends the connection of a client that does not take its answer. */
function endUnlessTaken(response: ServerResponse, readTimeout: number): void {
  const timer = setTimeout(() => response.destroy(), readTimeout).unref();
  response.once("close", () => clearTimeout(timer)).once("finish", () => clearTimeout(timer));
}

/** Tells of an answer. A function that fails must not end the process. */
function tell(
  onRequest: (entry: RequestEntry) => unknown,
  request: IncomingMessage,
  { template, status, code, notes }: ServedReply,
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

function late(bodyTimeout: number): ServedReply {
  const text = `No byte of the body arrived within ${bodyTimeout / 1000} s.`;
  return plainText(408, text, [text]);
}

/** The answer when the mock itself fails. The place is told, and not the message, which can hold what was sent; that of a journal cannot. */
function failed(error: unknown): ServedReply {
  if (error instanceof JournalError) return plainText(500, "The mock failed.", [`The mock failed: ${error.message}`]);
  const place =
    error instanceof Error ? error.stack?.split("\n").find((line) => line.trimStart().startsWith("at ")) : "";
  const name = error instanceof Error ? error.name : "unknown";
  return plainText(500, "The mock failed.", [`The mock failed: ${name} ${place?.trim() ?? ""}`.trim()]);
}

function plainText(status: number, text: string, notes: readonly string[]): ServedReply {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return { status, headers, body: `${text}\n`, template: undefined, code: undefined, notes };
}
