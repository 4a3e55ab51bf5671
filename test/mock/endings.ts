/** Resources that reach their final state later: how each resource is created, and the final states that external events can set. */
import { createPartnerClient } from "partner-wallet-api";
import { expect } from "vitest";
import { createMock, type InProcessMock } from "../../scripts/mock/host/mock.ts";
import type { CreateMockOptions } from "../../scripts/mock/host/options.ts";
import type { Edition, PlanResource } from "../../scripts/mock/plan/plan.ts";
import { plan } from "../support/plan.ts";
import { exampleCall, operationNamed, send } from "./codes/calls.ts";

export const user = "user-1";

export function makeFundedMock(edition: Edition = "latest", options: CreateMockOptions = {}): InProcessMock {
  const mock = createMock(plan, { clock: "2026-04-01T07:00:00.000Z", edition, ...options });
  const funds = { eur: "1000.00", usdc: "1000", btc: "1" };
  for (const name of [user, "user-2"]) mock.users.create(name, { extended: true, funds });
  mock.partner.fund(funds);
  return mock;
}

type Values = Readonly<Record<string, unknown>>;

export async function call(
  mock: InProcessMock,
  operationId: string,
  values: Values = {},
): Promise<Record<string, string>> {
  const callValues = {
    externalUserId: user,
    sourceExternalUserId: user,
    destinationExternalUserId: "user-2",
    ...values,
  };
  const response = await send(mock, exampleCall(operationNamed(plan, operationId), mock.apiKey, callValues));
  const text = await response.text();
  expect(response.status, `${operationId}: ${text}`).toBeLessThan(300);
  return JSON.parse(text) as Record<string, string>;
}

export const tenEuros = { amount: "10.00", currency: "eur" };

export const payments: Readonly<Record<string, (mock: InProcessMock) => Promise<unknown>>> = {
  createTransfer: (mock) => call(mock, "createTransfer", tenEuros),
  createPartnerSepaTransfer: (mock) => call(mock, "createPartnerSepaTransfer", tenEuros),
  createCryptoWithdrawal: (mock) =>
    call(mock, "createCryptoWithdrawal", { amount: "50", currency: "usdc", network: "polygon" }),
  createPartnerExchange: (mock) => {
    const exchange = { currencyFrom: "eur", currencyTo: "usdc", amount: "10.00" };
    const { lockId } = mock.lockExchange(null, exchange) as { lockId: string };
    return call(mock, "createPartnerExchange", { ...exchange, lockId });
  },
};

export const creations: Readonly<Record<string, (mock: InProcessMock) => unknown>> = {
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

export const preparations: Readonly<Record<string, (mock: InProcessMock) => unknown>> = {
  "paymentLink.paymentIsConfirmed": (mock) =>
    mock.triggerEvent("paymentLink", "paymentArrives", { cryptocurrency: "usdc", network: "polygon" }),
};

export const endings = Object.values(plan.resources).flatMap((resource) =>
  Object.entries(resource.externalEvents).flatMap(([event, { moves, state = "status", to }]) =>
    to
      .filter((value) => moves === resource.name && isFinal(resource, state, value))
      .map((value) => ({ resource: resource.name, event, state, value })),
  ),
);

function isFinal({ states }: PlanResource, state: string, value: string): boolean {
  return (states[state]?.transitions[value] ?? []).length === 0;
}

export const finalStates = Object.values(plan.resources).flatMap((resource) =>
  Object.entries(resource.states).flatMap(([state, { transitions }]) =>
    [...new Set(Object.values(transitions).flat())]
      .filter((value) => isFinal(resource, state, value))
      .map((value) => `${resource.name}.${state} ${value}`),
  ),
);

export const statesReachedByCalls = [
  "user.verification extended",
  "user.access deleted",
  "transaction.status SUCCESSFUL",
  "transaction.status UNSUCCESSFUL",
  "card.status DELETED",
  "exchangeLock.status used",
  "orderLock.status used",
];

/** The edition in which a resource can be created: `test` if only proposed operations create it, otherwise `latest`. */
export function editionOf(resource: string): Edition {
  const creatingOperations = plan.operations.filter(({ creates }) => creates.includes(resource));
  return creatingOperations.length > 0 && creatingOperations.every(({ editions }) => !editions.includes("latest"))
    ? "test"
    : "latest";
}

export function newestEntity(mock: InProcessMock, resource: string) {
  return mock.state().entities.findLast((entity) => entity.resource === resource && entity.id !== "user-2");
}

/** By default, `pay` transfers 10 of the partner's 25 euros to `user`. */
export function mockForPayments(edition: Edition = "latest") {
  const mock = createMock(plan, { clock: "2026-04-01T07:00:00.000Z", edition });
  mock.users.create(user, { verified: true });
  mock.partner.fund({ eur: "25.00" });
  const client = createPartnerClient({ ...mock.clientOptions, edition: "test", retries: 0 });
  const pay = async (amount: `${number}` = "10.00", destinationExternalUserId = user) =>
    client.createTransfer({ body: { destinationExternalUserId, currency: "eur", amount } });
  return { mock, client, pay, funds: () => mock.partner.fund({}).eur };
}

export async function mockWithReceiver(
  statusFor: (count: number) => number = () => 200,
): Promise<{ mock: InProcessMock; bodies: string[] }> {
  const bodies: string[] = [];
  const handler = async (request: Request) => {
    bodies.push(`${new URL(request.url).pathname} ${await request.text()}`);
    return Response.json({}, { status: statusFor(bodies.length) });
  };
  const mock = makeFundedMock("test");
  await mock.clock.advance("1 minute");
  mock.sendWebhooksTo({ handler });
  return { mock, bodies };
}
