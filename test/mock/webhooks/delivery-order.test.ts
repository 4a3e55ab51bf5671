import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { Deliveries } from "../../../scripts/mock/webhooks/deliveries.ts";
import { plan } from "../../support/plan.ts";
import { addEvent, frozenClock, midnight, outboxOf, secondsOf, serveRecorder } from "./support.ts";

const timeOf = (seconds: number) => midnight + seconds * 1000;
const target = { url: "http://127.0.0.1:9" };
const neverSettle = () => new Promise<never>(() => {});
const numberOf = ({ body }: { body: string }) => (JSON.parse(body) as { n: number }).n;

it("events are delivered in the order in which they were created", async () => {
  const server = await serveRecorder((response, { body }) => {
    setTimeout(() => response.end("{}"), 30 - numberOf({ body }));
  });
  const deliveries = new Deliveries({ plan, clock: frozenClock(), target: { url: server.url } });
  deliveries.collect(outboxOf(...Array.from({ length: 25 }, () => [0, "sepaDeposit"] as const)));
  await deliveries.deliverDue(midnight);
  expect(server.receivedCalls.map(numberOf)).toEqual(Array.from({ length: 25 }, (_, index) => index));
});

it("an unanswered event does not delay others; at most eight are in flight", async () => {
  let openDeliveryCount = 0;
  let maxOpenDeliveryCount = 0;
  const sentNumbers: number[] = [];
  const send = async (event: { body: string; signal: AbortSignal }) => {
    maxOpenDeliveryCount = Math.max(maxOpenDeliveryCount, ++openDeliveryCount);
    sentNumbers.push(numberOf(event));
    if (numberOf(event) < 10) await new Promise((resolve) => event.signal.addEventListener("abort", resolve));
    openDeliveryCount -= 1;
    return { status: 200 };
  };
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const deliveries = new Deliveries({ plan, clock: frozenClock(), target, send });
  deliveries.collect(outboxOf(...Array.from({ length: 12 }, () => [0, "sepaDeposit"] as const)));
  const deliveryRun = deliveries.deliverDue(midnight);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sentNumbers).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await vi.advanceTimersByTimeAsync(20_000);
  await deliveryRun;
  expect(sentNumbers).toEqual(Array.from({ length: 12 }, (_, index) => index));
  expect(maxOpenDeliveryCount).toBe(8);
  const problems = deliveries.list.map(({ attempts: [first] }) => first?.problem);
  expect(problems).toEqual([...Array(10).fill("no response within 10 s"), undefined, undefined]);
});

it("a retry after a slow refusal is not overtaken by a later event", async () => {
  const calls: number[] = [];
  const send = async (event: { body: string }) => {
    calls.push(numberOf(event));
    if (calls.length > 1) return { status: 200 };
    await sleep(150);
    return { status: 500 };
  };
  const deliveries = new Deliveries({ plan, clock: frozenClock(), target, send });
  deliveries.collect(outboxOf([0, "sepaDeposit"], [7, "sepaDeposit"], [20, "sepaDeposit"]));
  await deliveries.deliverDue(timeOf(60));
  expect(calls).toEqual([0, 1, 0, 2]);
});

it("an event acknowledged by a redelivery stays delivered when the running attempt is refused", async () => {
  const responses: ((status: number) => void)[] = [];
  const send = () => new Promise<{ status: number }>((resolve) => responses.push((status) => resolve({ status })));
  const deliveries = new Deliveries({ plan, clock: frozenClock(), target, send });
  deliveries.collect(outboxOf([0, "sepaDeposit"]));
  const deliveryRun = deliveries.deliverDue(midnight);
  const redelivery = deliveries.redeliver(0);
  await vi.waitFor(() => expect(responses).toHaveLength(2));
  responses[1]?.(200);
  await redelivery;
  responses[0]?.(500);
  await deliveryRun;
  expect(deliveries.list).toMatchObject([{ state: "delivered", attempts: [{ status: 200 }, { status: 500 }] }]);
  expect(deliveries.nextDue).toBeUndefined();
});

it("a receiver that hangs on one path gets the events of other paths, including new ones", async () => {
  const server = await serveRecorder((response, { url }) => {
    if (url !== "/exchange-webhook") response.end("{}");
  });
  const deliveries = new Deliveries({ plan, clock: frozenClock(), target: { url: server.url } });
  const outbox = outboxOf([0, "exchange"], [0, "sepaDeposit"]);
  deliveries.collect(outbox);
  void deliveries.deliverDue(midnight);
  await vi.waitFor(() => expect(deliveries.list[1]?.state).toBe("delivered"));
  addEvent(outbox, 1, "ibanStatus");
  deliveries.collect(outbox);
  void deliveries.deliverDue(timeOf(1));
  await vi.waitFor(() => expect(deliveries.list[2]?.state).toBe("delivered"));
  expect(deliveries.list[0]).toMatchObject({ state: "pending", attempts: [] });
  deliveries.reset();
});

it("a reset aborts running deliveries and their waiting callers, and none of them continues", async () => {
  let isAborted = false;
  const send = (event: { signal: AbortSignal }) => {
    event.signal.addEventListener("abort", () => {
      isAborted = true;
    });
    return neverSettle();
  };
  const reportedDeliveries: unknown[] = [];
  const onDelivery = (delivery: unknown) => void reportedDeliveries.push(delivery);
  const deliveries = new Deliveries({ plan, clock: frozenClock(), target, send, onDelivery });
  deliveries.collect(outboxOf([0, "sepaDeposit"]));
  const deliveryRun = deliveries.deliverDue(midnight);
  await sleep(5);
  const redelivery = deliveries.redeliver(0);
  deliveries.reset();
  // The limit is far shorter than the timeout of an attempt.
  expect(await Promise.race([Promise.all([deliveryRun, redelivery]), sleep(2_000, "late")])).not.toBe("late");
  await sleep(5);
  expect({ isAborted, reported: reportedDeliveries, list: deliveries.list, due: deliveries.nextDue }).toEqual({
    isAborted: true,
    reported: [],
    list: [],
    due: undefined,
  });
  deliveries.collect(outboxOf([0, "exchange"]));
  expect(deliveries.list).toMatchObject([{ number: 0, webhook: "exchange" }]);
});

it("attempts are made in order of time, each when due and at most five, whatever is refused", async () => {
  const anyEvents = fc.array(
    fc.record({ second: fc.nat(100), statuses: fc.array(fc.constantFrom(200, 500), { minLength: 5, maxLength: 5 }) }),
    { maxLength: 12 },
  );
  const anyStops = fc.array(fc.nat(400), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(anyEvents, anyStops, async (unsortedEvents, stopSeconds) => {
      const sortedEvents = unsortedEvents.toSorted((a, b) => a.second - b.second);
      const calls: number[] = [];
      const counts = sortedEvents.map(() => 0);
      const send = async (event: { body: string }) => {
        const number = numberOf(event);
        calls.push(number);
        const status = sortedEvents[number]?.statuses[counts[number] ?? 0] ?? 200;
        counts[number] = (counts[number] ?? 0) + 1;
        return { status };
      };
      const deliveries = new Deliveries({ plan, clock: frozenClock(), target, send });
      deliveries.collect(outboxOf(...sortedEvents.map(({ second }) => [second, "sepaDeposit"] as const)));
      await Promise.all(stopSeconds.map((second) => deliveries.deliverDue(timeOf(second))));
      const latestStop = Math.max(-1, ...stopSeconds);
      expect(deliveries.nextDue ?? Number.POSITIVE_INFINITY).toBeGreaterThan(timeOf(latestStop));
      await deliveries.deliverDue(timeOf(1_000));

      const expectedAttempts = sortedEvents.flatMap(({ second, statuses }, number) => {
        const firstAcknowledgedIndex = statuses.indexOf(200);
        const count = firstAcknowledgedIndex < 0 ? 5 : firstAcknowledgedIndex + 1;
        return [0, 8, 24, 56, 120].slice(0, count).map((delay) => ({ number, time: second + delay }));
      });
      const attempts = deliveries.list.flatMap(({ number, attempts: list }) =>
        secondsOf(list).map((time) => ({ number, time })),
      );
      expect(attempts).toEqual(expectedAttempts);
      const orderedAttempts = expectedAttempts.toSorted((a, b) => a.time - b.time || a.number - b.number);
      expect(calls).toEqual(orderedAttempts.map(({ number }) => number));
      expect(deliveries.list.map(({ state }) => state)).toEqual(
        sortedEvents.map(({ statuses }) => (statuses.includes(200) ? "delivered" : "failed")),
      );
    }),
  );
});
