import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { testEvent } from "partner-wallet-api/webhooks";
import { afterAll, afterEach, expect } from "vitest";
import { makeReceiver, type Options } from "./deliveries.ts";
import { type RunningServer, serveOnLoopback } from "./support.ts";

export const listenWith = (listener: unknown) => serveOnLoopback(listener as RequestListener);

export interface SendOptions {
  /** Whether the connection is destroyed 50 ms after the bytes were written. */
  isCut?: boolean;
  /** Whether the client closes its sending side after the bytes, but still receives. */
  isHalfClosed?: boolean;
}

/** Resolves to the first final status, to "closed" when the connection ends without one, or to "no response" after 5 seconds of silence. */
export function sendRaw(port: number, bytes: string | Uint8Array, options: SendOptions = {}): Promise<string> {
  return new Promise((resolve) => {
    let receivedText = "";
    const socket = connect(port, "127.0.0.1", () => {
      if (options.isHalfClosed) socket.end(bytes);
      else socket.write(bytes);
      if (options.isCut) setTimeout(() => socket.destroy(), 50);
    });
    socket.setEncoding("latin1").on("data", (chunk) => {
      receivedText += chunk;
      if (statusOf(receivedText) !== undefined) socket.destroy();
    });
    let ending = "closed";
    socket.setTimeout(5_000, () => {
      ending = "no response";
      socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(statusOf(receivedText) ?? ending));
  });
}

/** Sends `request`, then a byte of its body every 100 ms, until the server closes the connection or 8 seconds have passed. */
export async function trickle(
  port: number,
  request: string,
): Promise<{ status: string | undefined; isClosed: boolean }> {
  let receivedText = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(request));
  socket.setEncoding("latin1").on("data", (chunk) => {
    receivedText += chunk;
  });
  socket.on("error", () => undefined);
  const timer = setInterval(() => socket.writable && socket.write(" "), 100);
  const isClosed = await new Promise<boolean>((resolve) => {
    socket.on("close", () => resolve(true));
    setTimeout(resolve, 8_000, false);
  });
  clearInterval(timer);
  socket.destroy();
  return { status: statusOf(receivedText), isClosed };
}

function statusOf(receivedText: string): string | undefined {
  return [...receivedText.matchAll(/HTTP\/1\.1 ([2-5]\d\d) [\s\S]*?\r\n\r\n/g)][0]?.[1];
}

export const path = "/transfer-webhook";
export const newEvent = () => testEvent("p2pTransfer", { id: randomUUID() });

export const makeHandler = (options: Partial<Options> = {}) =>
  makeReceiver({ authorization: "secret-token", nonconforming: "reject", maxBytes: 65_536, ...options });

export interface RequestParts {
  method?: string;
  target?: string;
  version?: string;
  headers?: Record<string, string | string[]>;
}

export function requestText(
  { method = "POST", target = path, version = "1.1", headers = {} }: RequestParts,
  body = "",
): string {
  const allHeaders = {
    host: "partner.example",
    authorization: "secret-token",
    "content-length": `${body.length}`,
    ...headers,
  };
  const headerLines = Object.entries(allHeaders).flatMap(([name, value]) =>
    [value].flat().map((item) => `${name}: ${item}\r\n`),
  );
  return `${method} ${target} HTTP/${version}\r\n${headerLines.join("")}\r\n${body}`;
}

export const eventText = JSON.stringify(testEvent("p2pTransfer"));
export const chunkedHeaders = { "content-length": [], "transfer-encoding": "chunked" };

export function watchServers(): (serverPromise: Promise<RunningServer>) => Promise<number> {
  const fatalErrors: unknown[] = [];
  const noteError = (error: unknown) => void fatalErrors.push(error);
  process.on("uncaughtException", noteError).on("unhandledRejection", noteError);
  afterEach(() => expect(fatalErrors.splice(0)).toEqual([]));
  const startedServers: RunningServer[] = [];
  // Servers are closed after all tests, because some tests run in parallel.
  afterAll(async () => {
    await Promise.all(startedServers.map((server) => server.close()));
    process.off("uncaughtException", noteError).off("unhandledRejection", noteError);
    expect(fatalErrors).toEqual([]);
  });
  return async (serverPromise) => {
    const server = await serverPromise;
    startedServers.push(server);
    return server.port;
  };
}
