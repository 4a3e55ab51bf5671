import { healthPath, parseWebhook, testEvent, type WebhookName, webhookPaths } from "partner-wallet-api/webhooks";
import { describe, expect, it } from "vitest";
import { makeWebhookHandler } from "../../scripts/client/src/webhooks/handler.ts";
import { contractOf } from "../support/contract.ts";
import { makeReceiver, webhookCall } from "./packed/deliveries.ts";

describe("every webhook", async () => {
  const { webhooks, delivery } = await contractOf("test");
  const examples = webhooks.flatMap(({ name, requestBody }) =>
    (requestBody?.bodies ?? []).flatMap((body) =>
      body.examples.map((example) => ({ name, example: example.name, value: example.value })),
    ),
  );

  const pathOf = (name: string) => webhookPaths[name as WebhookName];

  it.each(examples)("accepts $name $example without deviations", ({ name, value }) => {
    const parseResult = parseWebhook(pathOf(name), JSON.stringify(value));
    expect(parseResult).toEqual({ ok: true, name, event: value, deviations: [] });
  });

  it("has a test event that equals its first example", () => {
    for (const { name } of webhooks) {
      const example = examples.find((candidate) => candidate.name === name);
      expect(testEvent(name as "p2pTransfer")).toEqual(example?.value);
    }
  });

  it("has the path of the contract, beside the health path", () => {
    expect(Object.entries(webhookPaths)).toEqual(webhooks.map(({ name, path }) => [name, path]));
    expect(healthPath).toBe(delivery?.healthPath);
  });

  it("is handled once per key, or on every delivery without a key", async () => {
    for (const { name, dedupeKey } of webhooks) {
      const event = testEvent(name as "p2pTransfer");
      const handledNames: string[] = [];
      const { handler } = makeReceiver({ otherwise: () => void handledNames.push(name) });
      const makeDelivery = () => webhookCall(event, { path: pathOf(name) });
      for (const _delivery of [1, 2, 3]) expect((await handler(makeDelivery())).status).toBe(200);
      const hasKey = dedupeKey.length > 0 && dedupeKey.every((field) => Object.hasOwn(event, field));
      expect([name, handledNames.length]).toEqual([name, hasKey ? 1 : 3]);
    }
  });

  it("whose path is not known receives only calls on the path that the partner gives it", async () => {
    const entry = { path: "", schema: {}, dedupeKey: [] };
    const statusOf = (path: string, paths: object) =>
      makeWebhookHandler({ first: entry, second: entry }, undefined, {
        authorization: { unverified: true },
        on: {},
        otherwise: "acknowledge",
        nonconforming: "reject",
        paths,
      })(webhookCall({}, { path })).then(({ status }) => status);
    expect(
      await Promise.all([statusOf("/", {}), statusOf("/", { first: "/" }), statusOf("/mine", { second: "/mine" })]),
    ).toEqual([404, 200, 200]);
  });
});
