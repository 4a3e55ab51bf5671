/** Sends requests over a few connections that are kept, one at a time on each, and reads the answers as cheaply as it can. */
import { connect, type Socket } from "node:net";
import { UsageError } from "../contract/index.ts";

/** A request and what its answer has to be: a server that refuses must not look fast. */
export interface LoadRequest {
  readonly name: string;
  /** The request as bytes of HTTP/1.1. */
  readonly text: string;
  /** HTTP status. */
  readonly status: number;
}

/** How many requests were answered, and in which time. */
export interface Load {
  readonly answers: number;
  /** Milliseconds. */
  readonly elapsed: number;
}

export interface LoadOptions {
  readonly milliseconds: number;
  readonly connections?: number;
  readonly most?: number;
}

/** Writes a request of HTTP/1.1. @param body is sent as JSON; undefined for none. */
export function requestText(method: string, path: string, key: string, body?: unknown): string {
  const json = body === undefined ? "" : JSON.stringify(body);
  const about =
    body === undefined ? "" : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\n${about}\r\n${json}`;
}

/**
 * Keeps every connection busy for a while.
 *
 * @param next makes the next request.
 * @param options `milliseconds` after which no further request is begun, and how many requests there are at `most`; those
 * under way are waited for.
 * @throws {UsageError} when an answer has another status, or a connection is lost.
 */
export async function sendLoad(
  port: number,
  next: () => LoadRequest,
  { milliseconds, connections = 8, most = Number.POSITIVE_INFINITY }: LoadOptions,
): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  try {
    const startedAt = performance.now();
    const until = startedAt + milliseconds;
    const answers = await Promise.all(
      sockets.map((socket) => keepBusy(socket, next, { until, most: most / connections })),
    );
    return { answers: answers.reduce((sum, one) => sum + one, 0), elapsed: performance.now() - startedAt };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.once("error", reject).once("connect", () => resolve(socket.off("error", reject)));
  });
}

/** Sends one request after the other. @returns how many were answered. */
function keepBusy(
  socket: Socket,
  next: () => LoadRequest,
  { until, most }: { until: number; most: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    let answers = 0;
    let received = "";
    let request = next();
    const fail = (problem: string) => reject(new UsageError(`${request.name}: ${problem}`));
    socket.on("error", (error) => fail(error.message));
    socket.on("close", () => fail("the connection was closed."));
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      const end = endOfAnswer(received);
      if (end === undefined || received.length < end) return;
      const status = Number(received.slice(9, 12));
      if (status !== request.status) {
        fail(`answered ${status} instead of ${request.status}: ${received.slice(0, 1000)}`);
        return;
      }
      received = "";
      answers += 1;
      if (answers >= most || performance.now() >= until) resolve(answers);
      else {
        request = next();
        socket.write(request.text);
      }
    });
    socket.write(request.text);
  });
}

/** The length of the answer that the text begins with; undefined while its headers are incomplete. */
export function endOfAnswer(text: string): number | undefined {
  const head = text.indexOf("\r\n\r\n");
  if (head < 0) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  if (length === undefined)
    throw new UsageError("A server answered without Content-Length, which the bench cannot read.");
  return head + 4 + Number(length);
}
