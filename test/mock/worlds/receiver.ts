/** Delivers every event of a world to the webhook handler of this package, and counts how often each event is handled. */
import { createWebhookHandler } from "partner-wallet-api/webhooks";
import type { Answers } from "../../../scripts/mock/answers/choice.ts";
import { createMock } from "../../../scripts/mock/host/mock.ts";
import { hasFailed } from "../../../scripts/mock/plan/index.ts";
import { withDigestsAtOnce } from "../../support/digests.ts";
import { plan } from "../../support/plan.ts";
import { fixtureKey, perform } from "../codes/fixture.ts";
import { makeFixtureIn } from "./calls.ts";

const token = "a-token-for-tests";

export interface ReceivedEvents {
  /** The number of times that each event was handled, by the event's body. */
  readonly handledCounts: ReadonlyMap<string, number>;
  readonly deliveries: readonly Readonly<Record<"webhook" | "path" | "body" | "state", string>>[];
}

/** Creates resources that fail and that succeed, triggers each external event that is possible, and delivers every event twice. */
export function receiveAll(answers: Answers): Promise<ReceivedEvents> {
  return withDigestsAtOnce(() => receive(answers));
}

async function receive(answers: Answers): Promise<ReceivedEvents> {
  const handledCounts = new Map<string, number>();
  const handle = (event: unknown) => {
    const body = JSON.stringify(event);
    handledCounts.set(body, (handledCounts.get(body) ?? 0) + 1);
  };
  const handler = createWebhookHandler({
    authorization: token,
    on: {},
    otherwise: ({ event }) => handle(event),
    nonconforming: (_name, body) => handle(body),
    unknown: ({ body }) => handle(body),
  });
  const fixture = await makeFixtureIn(answers);
  const mockOptions = { clock: "2026-04-01T07:00:00Z", edition: "test", key: fixtureKey, answers } as const;
  const mock = createMock(plan, { ...mockOptions, webhooks: { handler, token } });
  mock.restore(fixture.state);
  mock.answer(answers);
  mock.faults.add({ deliver: "twice", times: "always" });
  mock.users.verify("newcomer");
  const create = async () => {
    for (const { operationId, method } of plan.operations) {
      if (method === "POST") await perform(mock, fixture, operationId).catch(() => {});
    }
  };
  const trigger = (resource: string, event: string, eventValues: object) => {
    try {
      mock.triggerEvent(resource as "transfer", event as "transferIsDecided", eventValues);
    } catch {
      // The event is not possible now, or not with these values.
    }
  };
  await create();
  for (const { resource, event, to } of mock.possibleEvents) {
    const status = to.find((finalStatus) => hasFailed(plan, resource, finalStatus));
    if (status !== undefined) trigger(resource, event, { status });
  }
  await mock.clock.advance("5 seconds");
  await create();
  await mock.clock.advance("1 minute");
  for (const { resource, event, to, takes } of mock.possibleEvents) {
    const owners = takes.includes("externalUserId") ? ["owner", null, undefined] : [undefined];
    for (const status of takes.includes("status") ? [undefined, ...to] : [undefined]) {
      for (const externalUserId of owners)
        trigger(resource, event, {
          ...(status && { status }),
          ...(externalUserId !== undefined && { externalUserId }),
        });
    }
    await mock.clock.advance("5 seconds");
  }
  await mock.clock.advance("10 minutes");
  const { deliveries } = mock;
  mock.close();
  return { handledCounts, deliveries };
}
