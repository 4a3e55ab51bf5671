/** Events that a receiver once refused because the contract had guessed. Each of them reaches the partner's function. */
import { type Deviation, testEvent, type WebhookName } from "partner-wallet-api/webhooks";
import { describe, expect, it } from "vitest";
import { makeReceiver, webhookCall } from "./deliveries.ts";

const transfer = testEvent("p2pTransfer");
const withdrawal = {
  id: "2690efa9-e5fd-46f1-b0f6-c5b1cf2b4579",
  amount: 0.35,
  fee: 0.0021,
  destination: "0x5b97616c9bad30392be674752b184a3f5f0e217e",
  status: "SUCCESSFUL",
  transactionHash: "0xdf5b9b27568a23053c6a8854665b6d7f8c868283818582c61f7f9d9f49594148",
  currency: { currency: "eth", network: "ethereum" },
  createdAt: "2026-04-04T10:18:24.507Z",
};
const sepa = {
  id: "84e37e00-5b24-4923-8ea4-67da481bee53",
  type: "external",
  amount: "250.00",
  transferTitle: "Rent for April",
  destinationIban: "DE89370400440532013000",
  receiverFirstName: "Jana",
  receiverLastName: "Lindner",
  status: "SUCCESSFUL",
  currency: "eur",
  fee: 0.5,
  createdAt: "2026-04-01T08:15:42.317Z",
};
const deposit = {
  cryptoDepositId: "475a0310-d619-430d-a417-38f514e20fc0",
  amount: 0.042,
  currency: "btc",
  status: "SUCCESSFUL",
  transactionHash: "9a7d093eab3b3c900d6fe7adfbf72f3689ef81cce6f7b4256fffdc588da3e8fb",
  createdAt: "2026-04-07T06:58:13.420Z",
};
const userDeposit = { externalUserId: "user-1042", ...deposit };
const verification = {
  externalUserId: "user-1042",
  verificationStatus: "NOT_VERIFIED",
  attemptStatus: "REJECTED_BY_PROVIDER",
};

type Told = [pointer: string, rule: string][];

/** What was refused, and what is told of it now: nothing where the contract has learnt that the form is possible. */
const losses: [name: string, webhook: WebhookName, body: object, told: Told][] = [
  ["a withdrawal whose user is null", "cryptoWithdrawal", { ...withdrawal, user: null }, []],
  ["a SEPA transfer whose user is null", "sepaTransfer", { ...sepa, user: null }, []],
  ["a successful transfer whose error is null", "p2pTransfer", { ...transfer, error: null }, []],
  [
    "a transfer that the partner funds, whose source is null",
    "p2pTransfer",
    { ...transfer, sourceExternalUserId: null },
    [],
  ],
  ["a deposit of the partner, without a user", "cryptoDeposit", deposit, []],
  ["a deposit whose user is null", "cryptoDeposit", { ...deposit, externalUserId: null }, []],
  [
    "a failed SEPA transfer with a minimal body",
    "sepaTransfer",
    { id: sepa.id, status: "FAILED", error: { description: "no" } },
    [],
  ],
  ["a failed SEPA transfer without an error", "sepaTransfer", { id: sepa.id, status: "FAILED" }, []],
  ["a failed withdrawal with a minimal body", "cryptoWithdrawal", { id: withdrawal.id, status: "UNSUCCESSFUL" }, []],
  [
    "a failed deposit with a minimal body",
    "cryptoDeposit",
    { cryptoDepositId: deposit.cryptoDepositId, status: "UNSUCCESSFUL" },
    [],
  ],
  [
    "a timestamp without milliseconds",
    "p2pTransfer",
    { ...transfer, createdAt: "2026-03-14T09:26:53Z" },
    [["/createdAt", "pattern"]],
  ],
  [
    "a timestamp with an offset",
    "p2pTransfer",
    { ...transfer, createdAt: "2026-03-14T10:26:53.589+01:00" },
    [["/createdAt", "pattern"]],
  ],
  [
    "a timestamp with another form of offset",
    "cryptoDeposit",
    { ...userDeposit, createdAt: "2026-03-14T10:26:53+0100" },
    [
      ["/createdAt", "pattern"],
      ["/createdAt", "format"],
    ],
  ],
  ["a currency in upper case", "p2pTransfer", { ...transfer, currency: "EUR" }, [["/currency", "pattern"]]],
  [
    "a currency in upper case, of a deposit",
    "cryptoDeposit",
    { ...userDeposit, currency: "BTC" },
    [["/currency", "pattern"]],
  ],
  ["an IBAN with spaces", "sepaTransfer", { ...sepa, destinationIban: "DE89 3704 0044 0532 0130 00" }, []],
  ["a number where a string was seen", "sepaTransfer", { ...sepa, amount: 250 }, []],
  ["a string where a number was seen, as a fee", "sepaTransfer", { ...sepa, fee: "0.50" }, []],
  [
    "a string where a number was seen, of a withdrawal",
    "cryptoWithdrawal",
    { ...withdrawal, amount: "0.35", fee: "0.0021" },
    [],
  ],
  ["a string where a number was seen, of a deposit", "cryptoDeposit", { ...userDeposit, amount: "0.042" }, []],
  ["rejection reasons as a list", "kycVerificationStatus", { ...verification, rejectionReason: ["NO_FACE_FOUND"] }, []],
  ["no rejection reason", "kycVerificationStatus", { ...verification, rejectionReason: null }, []],
];

describe("is delivered:", () => {
  it.each(losses)("%s", async (_name, webhook, body, told) => {
    const paths = { [webhook]: "/mine" };
    const { handler, received, nonconforming, refused, deviations } = makeReceiver({ paths });
    const response = await handler(webhookCall(body, { path: "/mine" }));
    expect([response.status, received, nonconforming, refused]).toEqual([200, [body], [], []]);
    const places = deviations.map(({ pointer, rule }: Deviation) => [pointer, rule]);
    // An unlisted value, such as a status that no example shows, is beside the point here.
    expect(places.filter(([, rule]) => rule !== "unlisted-value" && rule !== "unlisted-field")).toEqual(told);
  });
});

it("a failed transfer without the fields that the specification promises goes to the partner's policy", async () => {
  const { handler, nonconforming } = makeReceiver();
  const body = { id: transfer.id, status: "FAILED", error: { description: "no" } };
  expect((await handler(webhookCall(body))).status).toBe(200);
  expect(nonconforming).toMatchObject([{ name: "p2pTransfer", body }]);
});

it("a deposit that returns to a status is handled each time", async () => {
  const { handler, received } = makeReceiver({ paths: { cryptoDeposit: "/mine" } });
  const statuses = ["WAITING_FOR_TR_DATA", "WAITING_FOR_VERIFICATION", "WAITING_FOR_TR_DATA"];
  for (const status of statuses) await handler(webhookCall({ ...userDeposit, status }, { path: "/mine" }));
  expect(received.map((event) => (event as { status: string }).status)).toEqual(statuses);
});
