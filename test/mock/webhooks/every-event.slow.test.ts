import { beforeAll, describe, expect, it } from "vitest";
import type { Fault } from "../../../generated/control/types.ts";
import type { InProcessMock } from "../../../scripts/mock/host/mock.ts";
import { plan } from "../../support/plan.ts";
import { call, creations, endings, mockWithReceiver, preparations, user } from "../endings.ts";

const hourMs = 3_600_000;

async function makeEveryEvent(mock: InProcessMock): Promise<void> {
  await call(mock, "addKycFiles");
  mock.triggerEvent("wallet", "walletIsCreated", { externalUserId: user, currency: "ltc" });
  for (const { resource, event, value } of endings) {
    const { takes } = plan.resources[resource]?.externalEvents[event] ?? { takes: [] as string[] };
    try {
      await creations[resource]?.(mock);
      preparations[`${resource}.${event}`]?.(mock);
      mock.triggerEvent(
        resource as never,
        event as never,
        (takes.includes("status") ? { status: value } : {}) as never,
      );
    } catch {
      // Ignored: a user can have some resources only once, and this resource has already ended.
    }
    await mock.clock.advance("10 minutes");
  }
  mock.triggerEvent("card", "codeIsRequired", {});
  await mock.clock.advance("1 day");
}

describe("every event", () => {
  let usualDeliveries: readonly { webhook: string; at: number; body: string }[] = [];
  beforeAll(async () => {
    const { mock } = await mockWithReceiver();
    await makeEveryEvent(mock);
    usualDeliveries = mock.deliveries;
    usualDeliveries = usualDeliveries.slice(mock.deliveries.findIndex(({ state }) => state !== "undelivered"));
    expect(new Set(usualDeliveries.map(({ webhook }) => webhook))).toEqual(
      new Set(plan.webhooks.map(({ name }) => name)),
    );
  });

  async function runWithFault(fault: Fault) {
    const { mock, bodies } = await mockWithReceiver();
    mock.faults.add({ times: "always", ...fault });
    await makeEveryEvent(mock);
    const deliveries = mock.deliveries.slice(mock.deliveries.length - usualDeliveries.length);
    expect(deliveries.map(({ body }) => body)).toEqual(usualDeliveries.map(({ body }) => body));
    const isAffected = ({ webhook }: { webhook: string }) => (fault.webhook ?? webhook) === webhook;
    const otherDeliveries = deliveries.filter((delivery) => !isAffected(delivery));
    for (const { at, state, attempts } of otherDeliveries)
      expect([state, attempts]).toEqual(["delivered", [{ at, status: 200 }]]);
    return { affectedDeliveries: deliveries.filter(isAffected), bodies };
  }

  it.each(plan.webhooks.map(({ name }) => name))("can be lost: %s", async (webhook) => {
    const { affectedDeliveries } = await runWithFault({ webhook, deliver: "never" });
    expect(affectedDeliveries.length).toBeGreaterThan(0);
    for (const { state, attempts } of affectedDeliveries) expect([state, attempts]).toEqual(["lost", []]);
  });

  it("can be sent twice", async () => {
    const { affectedDeliveries, bodies } = await runWithFault({ deliver: "twice" });
    const attemptAt = (at: number) => ({ at, status: 200 });
    for (const { at, state, attempts } of affectedDeliveries)
      expect([state, attempts]).toEqual(["delivered", [attemptAt(at), attemptAt(at)]]);
    expect(bodies).toHaveLength(2 * usualDeliveries.length);
    expect(bodies.filter((_, index) => index % 2 === 0)).toEqual(bodies.filter((_, index) => index % 2 === 1));
  });

  it("can be late", async () => {
    const { affectedDeliveries } = await runWithFault({ deliver: "late", delay: "1 hour" });
    for (const { at, attempts } of affectedDeliveries) expect(attempts).toEqual([{ at: at + hourMs, status: 200 }]);
  });

  it("can be out of order: the newest of a minute first", async () => {
    const { affectedDeliveries, bodies } = await runWithFault({ deliver: "reversed" });
    const times = [...new Set(affectedDeliveries.map(({ attempts }) => attempts[0]?.at))];
    const groups = times.map((time) => affectedDeliveries.filter(({ attempts }) => attempts[0]?.at === time));
    const expectedDeliveries = groups.flatMap((group) => group.toReversed());
    expect(groups.some((group) => group.length > 1)).toBe(true);
    expect(bodies.map((text) => text.slice(text.indexOf(" ") + 1))).toEqual(expectedDeliveries.map(({ body }) => body));
  });
});
