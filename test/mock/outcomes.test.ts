/**
 * Each final state in `openapi/resources.yaml` is reached by a call of the API or by an external event, from a start with sufficient funds.
 */
import { describe, expect, it } from "vitest";
import type { Fault } from "../../generated/control/types.ts";
import { createMock } from "../../scripts/mock/host/mock.ts";
import { plan } from "../support/plan.ts";
import { operationNamed } from "./codes/calls.ts";
import {
  call,
  creations,
  editionOf,
  endings,
  finalStates,
  makeFundedMock,
  newestEntity,
  payments,
  preparations,
  statesReachedByCalls,
  tenEuros,
  user,
} from "./endings.ts";

describe("the register of resources", () => {
  it("has in the edition latest every resource that moves money out", () => {
    for (const resource of ["transfer", "sepaTransfer", "cryptoWithdrawal", "exchange"]) {
      expect(editionOf(resource)).toBe("latest");
    }
  });

  it("has no final value that neither a call nor an external event reaches", () => {
    const reachedStates = endings.map(({ resource, state, value }) => `${resource}.${state} ${value}`);
    expect(finalStates.filter((state) => ![...reachedStates, ...statesReachedByCalls].includes(state))).toEqual([]);
    expect(statesReachedByCalls.filter((state) => !finalStates.includes(state))).toEqual([]);
    expect(new Set(endings.map(({ resource }) => resource))).toEqual(new Set(Object.keys(creations)));
  });
});

describe("an external event", () => {
  it.each(endings)("ends $resource with $value by $event", async ({ resource, event, state, value }) => {
    const mock = makeFundedMock(editionOf(resource));
    await creations[resource]?.(mock);
    preparations[`${resource}.${event}`]?.(mock);
    const { takes } = plan.resources[resource]?.externalEvents[event] ?? { takes: [] as string[] };
    const id = takes.includes("externalUserId") ? { externalUserId: newestEntity(mock, resource)?.owner } : {};
    const eventValues = { ...id, ...(takes.includes("status") ? { status: value } : {}) };
    mock.triggerEvent(resource as never, event as never, eventValues as never);
    await mock.clock.advance("1 day");
    expect(newestEntity(mock, resource)?.states[state]).toBe(value);
    const reportingWebhooks = plan.webhooks.filter(
      (webhook) => webhook.resource === resource && webhook.after.includes(value),
    );
    for (const { name } of reportingWebhooks.filter((webhook) => webhook.state === state)) {
      expect(mock.deliveries.findLast(({ webhook }) => webhook === name)?.body).toContain(`"${value}"`);
    }
  });

  it("sends what the example of the new status has", () => {
    const webhooks = plan.webhooks.map((webhook) => {
      const examples = { approved: { status: "APPROVED" }, rejected: { status: "REJECTED", reason: "Unknown" } };
      return webhook.name === "ibanStatus" ? { ...webhook, examples, validator: () => true } : webhook;
    });
    const mock = createMock({ ...plan, webhooks }, { edition: "test" });
    creations.iban?.(mock);
    mock.triggerEvent("iban", "ibanIsDecided", { status: "REJECTED" });
    expect(mock.deliveries.at(-1)?.body).toBe('{"status":"REJECTED","reason":"Unknown"}');
    mock.close();
  });
});

describe("a fault", () => {
  const rows = Object.keys(payments).flatMap((operation) => {
    const [resource = ""] = operationNamed(plan, operation).creates;
    return endings
      .filter((ending) => ending.resource === resource)
      .map(({ value }) => ({ operation, resource, value }));
  });

  it.each(rows)(
    "ends $resource with $value by $operation, whatever the response",
    async ({ operation, resource, value }) => {
      const outcomes: Omit<Fault, "operation">[] = [
        {},
        { lose: "response" },
        { code: "P501", carriedOut: true },
        { status: 502, effectAfter: "5 seconds" },
      ];
      for (const outcome of outcomes) {
        const mock = makeFundedMock();
        mock.faults.add({ operation, ends: value, ...outcome });
        await payments[operation]?.(mock).catch(() => {});
        expect(newestEntity(mock, resource)?.states.status).toBe(outcome.effectAfter ? undefined : "IN_PROGRESS");
        await mock.clock.advance("1 minute");
        expect(newestEntity(mock, resource)?.states.status).toBe(value);
        await payments[operation]?.(mock);
        await mock.clock.advance("1 minute");
        expect(newestEntity(mock, resource)?.states.status).toBe(
          plan.resources[resource]?.externalEvents[`${resource}IsDecided`]?.to[0],
        );
      }
    },
  );
});

describe("the reason of a failure", () => {
  it.each(["transfer", "sepaTransfer"])("is in the event of a %s", async (resource) => {
    const [operation = ""] = Object.keys(payments).filter((candidate) =>
      operationNamed(plan, candidate).creates.includes(resource),
    );
    const failure = plan.resources[resource]?.externalEvents[`${resource}IsDecided`]?.to[1] ?? "";
    const reason = "Account closed";
    const mock = makeFundedMock();
    mock.faults.add({ operation, ends: failure, reason });
    await payments[operation]?.(mock);
    await mock.clock.advance("1 minute");
    await payments[operation]?.(mock);
    mock.triggerEvent(resource as never, `${resource}IsDecided` as never, { status: failure, reason } as never);
    const bodies = mock.deliveries.map(({ body }) => JSON.parse(body) as { status: string; error?: object });
    const failedEvents = bodies.filter(({ status }) => status === failure);
    expect(failedEvents.map(({ error }) => error)).toEqual([
      { description: reason, status: 400 },
      { description: reason, status: 400 },
    ]);
  });
});

describe("a success without sufficient funds", () => {
  it("can be forced neither by an external event nor by a fault", async () => {
    const mock = makeFundedMock();
    mock.faults.add({ operation: "createPartnerSepaTransfer", ends: "SUCCESSFUL", times: 2 });
    for (const _ of [1, 2]) await call(mock, "createPartnerSepaTransfer", { ...tenEuros, amount: "900.00" });
    expect(() => mock.triggerEvent("sepaTransfer", "sepaTransferIsDecided", { status: "SUCCESSFUL" })).toThrow(
      "it can only become FAILED",
    );
    await mock.clock.advance("1 minute");
    const statuses = mock.state().entities.filter(({ resource }) => resource === "sepaTransfer");
    expect(statuses.map(({ states }) => states.status)).toEqual(["SUCCESSFUL", "FAILED"]);
    expect(mock.partner.fund({}).eur).toBe("100.00");
  });
});

describe("a user created as suspended", () => {
  it("makes no transactions until the suspension ends", async () => {
    const mock = makeFundedMock();
    expect(mock.users.create(user, { suspended: true }).access).toBe("suspended");
    await creations.sepaDeposit?.(mock);
    await mock.clock.advance("1 minute");
    expect(newestEntity(mock, "sepaDeposit")?.states.status).toBe("UNSUCCESSFUL");
    expect(mock.users.create(user, { suspended: false }).access).toBe("active");
    expect(mock.users.create("user-9", { suspended: true, verified: true })).toMatchObject({
      access: "suspended",
      verification: "verified",
    });
  });
});
