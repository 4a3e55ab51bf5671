import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import express from "express";
// @ts-expect-error Express 4 is installed under this name, without types.
import express4 from "express4";
import fastify from "fastify";
import { Hono } from "hono";
import { toFastifyPlugin, toNodeListener, type WebhookHandler } from "partner-wallet-api/webhooks";
import { listenWith } from "../../client/packed/receivers.ts";
import { listen, type RunningServer } from "../../client/packed/support.ts";

/** `@hono/node-server` replaces these globals, which would affect other tests of this process. */
const originalGlobals = { Request, Response };

export const frameworks: Record<string, (handler: WebhookHandler) => Promise<RunningServer>> = {
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
    const loopbackServer = await listen(server);
    return {
      ...loopbackServer,
      close: () => Promise.resolve(loopbackServer.close()).finally(() => Object.assign(globalThis, originalGlobals)),
    };
  },
};
