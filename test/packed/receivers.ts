/** Receivers of webhooks in real frameworks on loopback, and a caller that may send any bytes. */
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { serve } from "@hono/node-server";
import express from "express";
// @ts-expect-error Express 4 is installed under this name, without types.
import express4 from "express4";
import fastify from "fastify";
import { Hono } from "hono";
import { toFastifyPlugin, toNodeListener, type WebhookHandler } from "partner-wallet-api/webhooks";

/** A server that listens on a free port. */
export interface Running {
  readonly port: number;
  close(): Promise<unknown>;
}

/** Starts a server of node:http. */
export async function listen(server: Server): Promise<Running> {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, close };
}

/** Starts a listener such as an application of Express. */
export function listenWith(listener: unknown): Promise<Running> {
  return listen(createServer(listener as RequestListener));
}

/** How each framework serves a handler, as the README shows it. */
export const frameworks: Record<string, (handler: WebhookHandler) => Promise<Running>> = {
  "node:http": (handler) => listenWith(toNodeListener(handler)),
  "Express 5": (handler) => listenWith(express().use(toNodeListener(handler))),
  "Express 4": (handler) => listenWith(express4().use(toNodeListener(handler))),
  Fastify: async (handler) => {
    const app = fastify({ forceCloseConnections: true });
    await app.register(toFastifyPlugin(handler));
    await app.listen({ port: 0, host: "127.0.0.1" });
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
  },
  Hono: async (handler) => {
    const app = new Hono().all("*", (context) => handler(context.req.raw));
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
    await new Promise((resolve) => server.once("listening", resolve));
    return listen(server);
  },
};

/** What a caller does after it has sent its bytes. */
export interface Manner {
  /** Cuts the connection, some time after the bytes were sent. */
  cut?: boolean;
  /** Ends its side of the connection, and still reads. */
  halfClose?: boolean;
}

/** Sends bytes over a connection of their own. Resolves to the final status, "closed" without one, or "no answer". */
export function sendRaw(port: number, bytes: string | Uint8Array, manner: Manner = {}): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => {
      if (manner.halfClose) socket.end(bytes);
      else socket.write(bytes);
      if (manner.cut) setTimeout(() => socket.destroy(), 50);
    });
    socket.setEncoding("latin1").on("data", (chunk) => {
      received += chunk;
      if (statusOf(received) !== undefined) socket.destroy();
    });
    let ending = "closed";
    socket.setTimeout(5_000, () => {
      ending = "no answer";
      socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(statusOf(received) ?? ending));
  });
}

/** The status of the first response that is not an interim one. */
function statusOf(received: string): string | undefined {
  return [...received.matchAll(/HTTP\/1\.1 ([2-5]\d\d) [\s\S]*?\r\n\r\n/g)][0]?.[1];
}

/** Collects what would have ended a process. */
export function watchProcess(): { readonly fatal: unknown[]; stop(): void } {
  const fatal: unknown[] = [];
  const note = (error: unknown) => void fatal.push(error);
  process.on("uncaughtException", note).on("unhandledRejection", note);
  return { fatal, stop: () => void process.off("uncaughtException", note).off("unhandledRejection", note) };
}
