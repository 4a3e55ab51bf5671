/**
 * Everything that ends later, in the edition latest: each final value of `openapi/resources.yaml` is reached from a funded start by one
 * call of the control interface.
 */
import { describe, expect, it } from "vitest";
import type { Fault } from "../../generated/control/types.ts";
import { createMock, type InProcessMock } from "../../scripts/mock/host/mock.ts";
import type { Edition, PlanResource } from "../../scripts/mock/plan/plan.ts";
import { plan } from "../support/plan.ts";
import { exampleCall, operationNamed, send } from "./codes/calls.ts";

const user = "user-1";

function fundedStart(edition: Edition = "latest"): InProcessMock {
  const mock = createMock(plan, { clock: "2026-04-01T07:00:00.000Z", edition });
  const funds = { eur: "1000.00", usdc: "1000", btc: "1" };
  for (const name of [user, "user-2"]) mock.users.create(name, { extended: true, funds });
  mock.partner.fund(funds);
  return mock;
}

type Values = Readonly<Record<string, unknown>>;

async function call(mock: InProcessMock, operationId: string, values: Values = {}): Promise<Record<string, string>> {
  const given = { externalUserId: user, sourceExternalUserId: user, destinationExternalUserId: "user-2", ...values };
  const response = await send(mock, exampleCall(operationNamed(plan, operationId), mock.apiKey, given));
  const text = await response.text();
  expect(response.status, `${operationId}: ${text}`).toBeLessThan(300);
  return JSON.parse(text) as Record<string, string>;
}

const euro = { amount: "10.00", currency: "eur" };

/** The operations whose effect ends later, with a call of each. */
const payments: Readonly<Record<string, (mock: InProcessMock) => Promise<unknown>>> = {
  createTransfer: (mock) => call(mock, "createTransfer", euro),
  createPartnerSepaTransfer: (mock) => call(mock, "createPartnerSepaTransfer", euro),
  createCryptoWithdrawal: (mock) =>
    call(mock, "createCryptoWithdrawal", { amount: "50", currency: "usdc", network: "polygon" }),
  createPartnerExchange: (mock) => {
    const exchange = { currencyFrom: "eur", currencyTo: "usdc", amount: "10.00" };
    const { lockId } = mock.lockExchange(null, exchange) as { lockId: string };
    return call(mock, "createPartnerExchange", { ...exchange, lockId });
  },
};

/** How a resource comes about that an event can end; those of an operation are made by it. */
const beginnings: Readonly<Record<string, (mock: InProcessMock) => unknown>> = {
  transfer: payments.createTransfer as never,
  sepaTransfer: payments.createPartnerSepaTransfer as never,
  cryptoWithdrawal: payments.createCryptoWithdrawal as never,
  exchange: payments.createPartnerExchange as never,
  sepaDeposit: (mock) => mock.triggerEvent("sepaDeposit", "depositArrives", { externalUserId: user }),
  cryptoDeposit: (mock) => mock.triggerEvent("cryptoDeposit", "depositArrives", { externalUserId: user }),
  cardTransaction: async (mock) => {
    await call(mock, "createVirtualCard");
    mock.triggerEvent("cardTransaction", "cardIsUsed", { amount: "5.00" });
  },
  order: async (mock) => {
    const { lockId } = await call(mock, "createOrderRateLock", { currency: "btc", network: "btc", amount: "100.00" });
    await call(mock, "createOrder", { lockId });
    await mock.clock.advance("1 second");
  },
  orderLock: (mock) => call(mock, "createOrderRateLock", { currency: "btc", network: "btc", amount: "100.00" }),
  exchangeLock: (mock) => mock.lockExchange(user, { currencyFrom: "eur", currencyTo: "usdc", amount: "10.00" }),
  kycVerification: async (mock) => {
    mock.users.create("user-3", {});
    await call(mock, "createKycVerification", { externalUserId: "user-3" });
    await mock.clock.advance("1 second");
  },
  riskVerification: (mock) => mock.triggerEvent("riskVerification", "riskIsChecked", { externalUserId: user }),
  iban: (mock) => {
    mock.users.create("user-3", { funds: { eur: "1.00" } });
    mock.triggerEvent("iban", "ibanIsRequested", { externalUserId: "user-3" });
  },
  fiatBalance: (mock) => mock.users.create("user-3", { funds: { eur: "1.00" } }),
  user: (mock) => call(mock, "addPoaFiles"),
  paymentLink: (mock) => call(mock, "createPaymentLink"),
};

/** What else has to happen before an event. */
const before: Readonly<Record<string, (mock: InProcessMock) => unknown>> = {
  "paymentLink.paymentIsConfirmed": (mock) =>
    mock.triggerEvent("paymentLink", "paymentArrives", { cryptocurrency: "usdc", network: "polygon" }),
};

/** The final values of a state, and the external events that lead to each. */
const ends = Object.values(plan.resources).flatMap((resource) =>
  Object.entries(resource.externalEvents).flatMap(([event, { moves, state = "status", to }]) =>
    to
      .filter((value) => moves === resource.name && isFinal(resource, state, value))
      .map((value) => ({ resource: resource.name, event, state, value })),
  ),
);

function isFinal({ states }: PlanResource, state: string, value: string): boolean {
  return (states[state]?.transitions[value] ?? []).length === 0;
}

/** All values of states that come after another one, and that nothing follows. */
const finals = Object.values(plan.resources).flatMap((resource) =>
  Object.entries(resource.states).flatMap(([state, { transitions }]) =>
    [...new Set(Object.values(transitions).flat())]
      .filter((value) => isFinal(resource, state, value))
      .map((value) => `${resource.name}.${state} ${value}`),
  ),
);

/** Those to which a call of the partner leads, at once or with the resource that it is the record of. */
const byTheCall = [
  "user.verification extended",
  "user.access deleted",
  "transaction.status SUCCESSFUL",
  "transaction.status UNSUCCESSFUL",
  "card.status DELETED",
  "exchangeLock.status used",
  "orderLock.status used",
];

/** The edition latest, unless only operations of the edition test are about the resource. */
function editionOf(resource: string): Edition {
  const creating = plan.operations.filter(({ creates }) => creates.includes(resource));
  return creating.length > 0 && creating.every(({ editions }) => !editions.includes("latest")) ? "test" : "latest";
}

/** The newest resource of a kind. */
function newest(mock: InProcessMock, resource: string) {
  return mock.state().entities.findLast((entity) => entity.resource === resource && entity.id !== "user-2");
}

describe("the register of the contract", () => {
  it("has in the edition latest what moves money out", () => {
    for (const resource of ["transfer", "sepaTransfer", "cryptoWithdrawal", "exchange"]) {
      expect(editionOf(resource)).toBe("latest");
    }
  });

  it("has no final value that neither a call nor an external event leads to", () => {
    const reached = ends.map(({ resource, state, value }) => `${resource}.${state} ${value}`);
    expect(finals.filter((final) => ![...reached, ...byTheCall].includes(final))).toEqual([]);
    expect(byTheCall.filter((final) => !finals.includes(final))).toEqual([]);
    expect(new Set(ends.map(({ resource }) => resource))).toEqual(new Set(Object.keys(beginnings)));
  });
});

describe("an external event", () => {
  it.each(ends)("ends $resource with $value by $event", async ({ resource, event, state, value }) => {
    const mock = fundedStart(editionOf(resource));
    await beginnings[resource]?.(mock);
    before[`${resource}.${event}`]?.(mock);
    const { takes } = plan.resources[resource]?.externalEvents[event] ?? { takes: [] as string[] };
    const id = takes.includes("externalUserId") ? { externalUserId: newest(mock, resource)?.owner } : {};
    mock.triggerEvent(resource, event, { ...id, ...(takes.includes("status") ? { status: value } : {}) });
    await mock.clock.advance("1 day");
    expect(newest(mock, resource)?.states[state]).toBe(value);
    const told = plan.webhooks.filter((one) => one.resource === resource && one.after.includes(value));
    for (const { name } of told.filter((one) => one.state === state)) {
      expect(mock.deliveries.findLast(({ webhook }) => webhook === name)?.body).toContain(`"${value}"`);
    }
  });
});

describe("a fault", () => {
  const rows = Object.keys(payments).flatMap((operation) => {
    const [resource = ""] = operationNamed(plan, operation).creates;
    return ends.filter((one) => one.resource === resource).map(({ value }) => ({ operation, resource, value }));
  });

  it.each(rows)(
    "ends $resource with $value by $operation, whatever is answered",
    async ({ operation, resource, value }) => {
      const outcomes: Omit<Fault, "operation">[] = [
        {},
        { lose: "response" },
        { code: "P501", carriedOut: true },
        { status: 502, effectAfter: "5 seconds" },
      ];
      for (const outcome of outcomes) {
        const mock = fundedStart();
        mock.faults.add({ operation, ends: value, ...outcome });
        await payments[operation]?.(mock).catch(() => {});
        expect(newest(mock, resource)?.states.status).toBe(outcome.effectAfter ? undefined : "IN_PROGRESS");
        await mock.clock.advance("1 minute");
        expect(newest(mock, resource)?.states.status).toBe(value);
        await payments[operation]?.(mock);
        await mock.clock.advance("1 minute");
        expect(newest(mock, resource)?.states.status).toBe(
          plan.resources[resource]?.externalEvents[`${resource}IsDecided`]?.to[0],
        );
      }
    },
  );
});

describe("the reason of a failure", () => {
  it.each(["transfer", "sepaTransfer"])("is in the event of a %s", async (resource) => {
    const [operation = ""] = Object.keys(payments).filter((one) =>
      operationNamed(plan, one).creates.includes(resource),
    );
    const failure = plan.resources[resource]?.externalEvents[`${resource}IsDecided`]?.to[1] ?? "";
    const reason = "Account closed";
    const mock = fundedStart();
    mock.faults.add({ operation, ends: failure, reason });
    await payments[operation]?.(mock);
    await mock.clock.advance("1 minute");
    await payments[operation]?.(mock);
    mock.triggerEvent(resource, `${resource}IsDecided`, { status: failure, reason });
    const bodies = mock.deliveries.map(({ body }) => JSON.parse(body) as { status: string; error?: object });
    const failed = bodies.filter(({ status }) => status === failure);
    expect(failed.map(({ error }) => error)).toEqual([
      { description: reason, status: 400 },
      { description: reason, status: 400 },
    ]);
  });
});

describe("a success", () => {
  it("is refused to an external event, and does not come by a fault, where nothing covers it", async () => {
    const mock = fundedStart();
    mock.faults.add({ operation: "createPartnerSepaTransfer", ends: "SUCCESSFUL", times: 2 });
    for (const _ of [1, 2]) await call(mock, "createPartnerSepaTransfer", { ...euro, amount: "900.00" });
    expect(() => mock.triggerEvent("sepaTransfer", "sepaTransferIsDecided", { status: "SUCCESSFUL" })).toThrow(
      "it can only become FAILED",
    );
    await mock.clock.advance("1 minute");
    const statuses = mock.state().entities.filter(({ resource }) => resource === "sepaTransfer");
    expect(statuses.map(({ states }) => states.status)).toEqual(["SUCCESSFUL", "FAILED"]);
    expect(mock.partner.fund({}).eur).toBe("100.00");
  });
});

describe("a suspended user", () => {
  it("is an option, and makes no transactions until it ends", async () => {
    const mock = fundedStart();
    expect(mock.users.create(user, { suspended: true }).access).toBe("suspended");
    await beginnings.sepaDeposit?.(mock);
    await mock.clock.advance("1 minute");
    expect(newest(mock, "sepaDeposit")?.states.status).toBe("UNSUCCESSFUL");
    expect(mock.users.create(user, { suspended: false }).access).toBe("active");
    expect(mock.users.create("user-9", { suspended: true, verified: true })).toMatchObject({
      access: "suspended",
      verification: "verified",
    });
  });
});

describe("a fault about an end that contradicts itself", () => {
  it.each([
    [{ ends: "UNSUCCESSFUL" }, "ends needs an operation"],
    [{ operation: "createVirtualCard", ends: "UNSUCCESSFUL" }, "Possible are createCryptoWithdrawal, "],
    [
      { operation: "createTransfer", ends: "FAILED" },
      "ends must be one of SUCCESSFUL, UNSUCCESSFUL for createTransfer",
    ],
    [{ operation: "createTransfer", reason: "because" }, "give ends as well"],
    [{ operation: "createTransfer", ends: "SUCCESSFUL", reason: "because" }, "reason is that of a failure"],
    [
      { operation: "createPartnerExchange", ends: "FAILED", reason: "because" },
      "the event of a exchange has no field for it",
    ],
    [{ operation: "createTransfer", ends: "UNSUCCESSFUL", code: "P500" }, "about a call that takes effect"],
    [{ operation: "createTransfer", ends: "UNSUCCESSFUL", lose: "request" }, "about a call that takes effect"],
  ])("is refused: %j", (fault, message) => {
    expect(() => fundedStart().faults.add(fault as never)).toThrow(message);
  });
});
