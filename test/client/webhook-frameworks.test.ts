/** The receiver in real frameworks, each serving on loopback. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve as serveHono } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import {
  createWebhookHandler,
  testEvent,
  toFastifyPlugin,
  toNodeListener,
  type WebhookHandler,
  webhookPaths,
} from "partner-wallet-api/webhooks";
import { describe, expect, it } from "vitest";

interface Running {
  port: number;
  close(): Promise<unknown>;
}

function running(server: Server): Running {
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, close };
}

function listening(server: Server): Promise<Server> {
  return new Promise((resolve) => server.once("listening", () => resolve(server)));
}

const frameworks: Record<string, (handler: WebhookHandler) => Promise<Running>> = {
  "node:http": async (handler) => {
    return running(await listening(createServer(toNodeListener(handler)).listen(0, "127.0.0.1")));
  },
  Express: async (handler) => {
    const app = express();
    app.use(toNodeListener(handler));
    return running(await listening(app.listen(0, "127.0.0.1")));
  },
  "Express behind a JSON body parser": async (handler) => {
    const app = express();
    app.use(express.json({ limit: "5mb" }));
    app.use(toNodeListener(handler));
    return running(await listening(app.listen(0, "127.0.0.1")));
  },
  Fastify: async (handler) => {
    const app = fastify({ forceCloseConnections: true });
    await app.register(toFastifyPlugin(handler));
    await app.listen({ port: 0, host: "127.0.0.1" });
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
  },
  Hono: async (handler) => {
    const app = new Hono();
    app.all("*", (context) => handler(context.req.raw));
    const server = serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
    return running(await listening(server));
  },
};

describe.each(Object.entries(frameworks))("%s", (name, start) => {
  it("delivers an event once, and refuses what is not one", async () => {
    const received: unknown[] = [];
    const server = await start(
      createWebhookHandler({
        authorization: "token",
        on: { p2pTransfer: (event) => void received.push(event) },
        otherwise: "reject",
        nonconforming: "reject",
      }),
    );
    const post = async (body: string, path = webhookPaths.p2pTransfer, authorization = "token") => {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization },
        body,
      });
      return [response.status, response.headers.get("content-type"), await response.json().catch(() => undefined)];
    };
    const json = expect.stringContaining("application/json");
    const event = testEvent("p2pTransfer");
    const text = JSON.stringify(event);

    expect(await post(text)).toEqual([200, json, {}]);
    expect(await post(text)).toEqual([200, json, {}]);
    expect(received).toEqual([event]);
    expect((await post(text, webhookPaths.p2pTransfer, "wrong"))[0]).toBe(401);
    expect((await post(text, "/nowhere"))[0]).toBe(404);
    expect((await post('{"id":1}'))[0]).toBe(400);
    // Express refuses broken JSON itself when its own parser runs first.
    expect((await post("{"))[0]).toBe(400);
    expect((await post(JSON.stringify({ ...event, padding: "x".repeat(2_000_000) })))[0]).toBe(413);
    const got = await fetch(`http://127.0.0.1:${server.port}${webhookPaths.p2pTransfer}`);
    expect([name, got.status, got.headers.get("allow")]).toEqual([name, 405, "POST"]);
    await server.close();
  });
});
