/** The receiver in real frameworks, each serving on loopback. */
import express from "express";
import { createWebhookHandler, testEvent, toNodeListener, webhookPaths } from "partner-wallet-api/webhooks";
import { describe, expect, it } from "vitest";
import { listenWith } from "../../packed/receivers.ts";
import { frameworks } from "../packed/frameworks.ts";

const receivers: typeof frameworks = {
  "node:http": (handler) => listenWith(toNodeListener(handler)),
  ...frameworks,
  "Express behind a JSON body parser": (handler) =>
    listenWith(
      express()
        .use(express.json({ limit: "5mb" }))
        .use(toNodeListener(handler)),
    ),
};

describe.each(Object.entries(receivers))("%s", (name, start) => {
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
