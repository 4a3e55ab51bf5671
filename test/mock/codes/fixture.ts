/** A world in which every operation can succeed, and a successful call of each operation. */

import type { Assume } from "../../../generated/control/types.ts";
import type { MockWorldControl } from "../../../scripts/mock/control/functions.ts";
import { createMock, type InProcessMock } from "../../../scripts/mock/host/mock.ts";
import type { Plan } from "../../../scripts/mock/plan/plan.ts";
import { type Call, exampleCall, operationNamed, send, withValues } from "./calls.ts";

type State = ReturnType<MockWorldControl["state"]>;

export const fixtureKey = "stage-key";

/** refusals.yaml names months before and after this one. */
const startTime = "2026-04-01T07:00:00Z";

/**
 * The users. The owner is extended and has money, a card and payments; the friend is only verified; the newcomer is unverified; the
 * applicant has uploaded files; the guest has begun the hosted verification.
 */
export const people = ["owner", "friend", "newcomer", "applicant", "guest"] as const;

export interface Fixture {
  readonly plan: Plan;
  readonly state: State;
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export function successOf({ plan, values }: Pick<Fixture, "plan" | "values">, operationId: string): Call {
  return exampleCall(operationNamed(plan, operationId), fixtureKey, { ...commonValues, ...values[operationId] });
}

/** A mock whose initial state is the state of the fixture. Resetting the mock is faster than making a new one, which checks the state. */
export function mockOf({ plan, state }: Fixture, assume: Assume = {}): InProcessMock {
  return makeMock(plan, assume, state);
}

export async function perform(
  mock: InProcessMock,
  fixture: Pick<Fixture, "plan" | "values">,
  operationId: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Readonly<Record<string, string>>> {
  const call = withValues(successOf(fixture, operationId), changes);
  const response = await send(mock, call);
  const text = await response.text();
  if (!response.ok) throw new Error(`${operationId} answered ${response.status} ${text}`);
  return JSON.parse(text) as Record<string, string>;
}

const commonValues = {
  externalUserId: "owner",
  sourceExternalUserId: "owner",
  destinationExternalUserId: "friend",
  month: "04",
  year: "2026",
};

export async function makeFixture(plan: Plan, assume: Assume = {}): Promise<Fixture> {
  const mock = makeMock(plan, assume);
  for (const name of people) mock.users.create(name, { attributes: { country: "DE" } });
  mock.users.extend("owner");
  mock.users.verify("friend");
  mock.users.fund("owner", { eur: "10000", usdc: "10000" });
  mock.partner.fund({ eur: "10000", usdc: "10000" });
  await mock.clock.advance("1 minute");

  const make = (operationId: string, fields = {}) => perform(mock, { plan, values: {} }, operationId, fields);
  await make("addKycFiles", { externalUserId: "applicant" });
  const { verificationId } = await make("createKycVerification", { externalUserId: "guest" });
  const { cardId } = await make("createVirtualCard");
  const transfer = await make("createTransfer");
  const sepaTransfer = await make("createSepaTransfer");
  const { withdrawalId } = await make("createCryptoWithdrawal");
  const { paymentLinkId } = await make("createPaymentLink");
  const { orderId } = await make("createOrder", { lockId: (await make("createOrderRateLock")).lockId });
  const money = { currencyFrom: "eur", currencyTo: "usdc" };
  const lockOf = (amount: string) => make("createExchangeRateLock", { ...money, amount });
  const partnerLockOf = (amount: string) => make("createPartnerExchangeRateLock", { ...money, amount });
  const exchange = { ...money, amount: "200.00" };
  const partnerExchange = { ...money, amount: 500 };
  const exchangeOfUser = await make("createExchange", { ...exchange, lockId: (await lockOf("200")).lockId });
  const partnerExchangeValues = { ...partnerExchange, lockId: (await partnerLockOf("500")).lockId };
  const exchangeOfPartner = await make("createPartnerExchange", partnerExchangeValues);
  const depositValues = {
    externalUserId: "owner",
    currency: "usdc",
    amount: "100",
    status: "WAITING_FOR_TR_DATA",
  } as const;
  const { id: cryptoDepositId } = mock.triggerEvent("cryptoDeposit", "depositArrives", depositValues);
  await mock.clock.advance("1 minute");

  const knownIds = { cardId, verificationId, cryptoDepositId, withdrawalId, orderId, paymentLinkId };
  const stranger = { externalUserId: "stranger", email: "stranger@users.example", phone: "4915550001" };
  const valuesByOperation: Fixture["values"] = {
    createUserAccount: stranger,
    updateUser: { email: "owner@users.example", phone: "4915550002" },
    deleteUser: { externalUserId: "friend" },
    suspendUser: { externalUserId: "friend" },
    unsuspendUser: { externalUserId: "friend" },
    extendUser: { externalUserId: "friend" },
    addKycFiles: { externalUserId: "applicant" },
    addUserVerification: { externalUserId: "applicant" },
    createKycVerification: { externalUserId: "applicant" },
    redirectToKycVerification: { externalUserId: "guest" },
    getKycStatus: { externalUserId: "guest" },
    createExchange: { ...exchange, lockId: (await lockOf("200")).lockId },
    createPartnerExchange: { ...partnerExchange, lockId: (await partnerLockOf("500")).lockId },
    createOrder: { lockId: (await make("createOrderRateLock")).lockId },
    getExchangeDetails: exchangeOfUser,
    getPartnerExchangeDetails: exchangeOfPartner,
    getCryptoDepositDetails: { externalId: cryptoDepositId },
    getTransferDetails: transfer,
    getSepaTransferDetails: sepaTransfer,
  };
  const values = Object.fromEntries(
    plan.operations.map(({ operationId }) => [operationId, { ...knownIds, ...valuesByOperation[operationId] }]),
  );
  return { plan, state: mock.state(), values };
}

function makeMock(plan: Plan, assume: Assume, state?: State): InProcessMock {
  return createMock(plan, { clock: startTime, edition: "test", key: fixtureKey, keys: [fixtureKey], assume, state });
}
