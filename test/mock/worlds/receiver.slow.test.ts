/**
 * A receiver in every world: it has handled each acknowledged event, with every field and value. An event that has the fields of its
 * key is handled only once.
 */
import { describe, expect, it } from "vitest";
import { webhookTable } from "../../../generated/client/webhook-table.ts";
import type { Answers } from "../../../scripts/mock/answers/choice.ts";
import { plan } from "../../support/plan.ts";
import { type ReceivedEvents, receiveAll } from "./receiver.ts";
import { coveringWorlds, nameOf, worlds } from "./worlds.ts";

function problemsOf(answers: Answers, { handledCounts, deliveries }: ReceivedEvents): string[] {
  return deliveries.flatMap(({ webhook, path, body, state }) => {
    const fields = webhookTable[webhook]?.dedupeKey ?? [];
    const event = JSON.parse(body) as Readonly<Record<string, unknown>>;
    const times = handledCounts.get(body) ?? 0;
    const isKnown = path === plan.webhooks.find(({ name }) => name === webhook)?.path;
    const isIdentified = isKnown && fields.length > 0 && fields.every((field) => event[field] != null);
    if (state === "delivered" && times === 0) return [`${webhook} is lost: ${body}`];
    if (isIdentified && times > 1) return [`${webhook} is handled ${times} times: ${body}`];
    if (state !== "delivered" && times > 0) return [`${webhook} is handled and not acknowledged: ${body}`];
    // Without the token, a receiver that expects it refuses every event.
    const hasToken = answers["Q-webhook-authentication"] === undefined;
    return state !== "delivered" && hasToken ? [`${webhook} is refused: ${body}`] : [];
  });
}

const sets = coveringWorlds("money", 1).sets;

describe("a receiver loses nothing and handles nothing twice", () => {
  it("in the assumed world, which has an event of every webhook", async () => {
    const result = await receiveAll({});
    expect(problemsOf({}, result)).toEqual([]);
    const sentWebhooks = new Set(result.deliveries.map(({ webhook }) => webhook));
    expect(plan.webhooks.map(({ name }) => name).filter((name) => !sentWebhooks.has(name))).toEqual([]);
    expect(result.deliveries.filter(({ state }) => state !== "delivered")).toEqual([]);
    const failures = result.deliveries.filter(({ body }) => /"status":"(UNSUCCESSFUL|FAILED)"/.test(body));
    expect(new Set(failures.map(({ webhook }) => webhook)).size).toBeGreaterThan(4);
  });

  it.each(worlds.map((world) => [nameOf(world), world] as const))("with %s", async (_name, world) => {
    expect(problemsOf(world, await receiveAll(world))).toEqual([]);
  });

  it.each(sets.map((set, index) => [index + 1, set] as const))("with set %i of answers about money", async (_, set) => {
    expect(problemsOf(set, await receiveAll(set)), nameOf(set)).toEqual([]);
  });
});
