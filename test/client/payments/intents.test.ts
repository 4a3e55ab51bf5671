import { createPartnerClient } from "partner-wallet-api";
import { createMemoryStore, createPayments, type PaymentsOptions } from "partner-wallet-api/payments";
import { describe, expect, it, vi } from "vitest";
import { documentOf } from "../../support/contract.ts";
import { dereference, propertiesOf, requiredOf } from "../../support/schema.ts";

interface RequestBody {
  readonly content: { readonly "application/json": { readonly schema: Parameters<typeof propertiesOf>[0] } };
}

function scriptedPayments(paymentsOptions: Partial<PaymentsOptions> = {}, edition: "latest" | "test" = "test") {
  const sentRequests: unknown[] = [];
  const fetch = async (request: Request) => {
    if (request.method === "GET") return Response.json([]);
    sentRequests.push([new URL(request.url).pathname, await request.json()]);
    const id = "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63";
    return Response.json({ transferId: id, withdrawalId: id, exchangeId: id, orderId: id }, { status: 201 });
  };
  const options = { baseUrl: "https://api.example", apiKey: "k", fetch };
  const client = createPartnerClient({ ...options, edition: edition as "test" });
  return {
    sentRequests,
    payments: createPayments({ client, store: createMemoryStore(), ...paymentsOptions }),
  };
}

const money = { amount: "10.50", currency: "eur" };
const longMoney = { ...money, amount: `1.${"0".repeat(38)}` };
const sepa = { ...money, iban: "GB33BUKB20201555555555" };
const wallet = { network: "polygon", name: "Lena", walletType: "OTHER", receiverType: "LEGAL" };
const withdrawal = { ...money, ...wallet, address: "0xab" };
const withdrawalBody = { ...money, ...wallet, walletAddress: "0xab" };
const lockId = "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63";
const exchange = { amount: "5", from: "eur", to: "btc", lockId };
const exchangeBody = { amount: "5", currencyFrom: "eur", currencyTo: "btc", lockId };
const user = { user: "user-1" };
const ibanTransferBody = { ...money, destinationIban: sepa.iban };
const naturalReceiver = { receiverType: "NATURAL", receiverFirstName: "Lena", receiverLastName: "Vogel" };

it.each<[kind: string, intent: object, path: string, body: object]>([
  ["fund", { ...user, ...money }, "/v1/transfer", { destinationExternalUserId: "user-1", ...money }],
  ["collect", { ...user, ...money }, "/v1/transfer", { sourceExternalUserId: "user-1", ...money }],
  ["collect", { ...user, ...longMoney }, "/v1/transfer", { sourceExternalUserId: "user-1", ...longMoney }],
  [
    "between",
    { from: "a", to: "b", ...money },
    "/v1/transfer",
    { sourceExternalUserId: "a", destinationExternalUserId: "b", ...money },
  ],
  ["sepa", { of: "partner", ...sepa }, "/v1/partner/sepa-transfer", { ...ibanTransferBody, transferTitle: "r-1" }],
  [
    "sepa",
    { of: user, ...sepa, title: "Rent", receiver: { firstName: "Lena", lastName: "Vogel" } },
    "/v1/sepa-transfer",
    { sourceExternalUserId: "user-1", ...ibanTransferBody, transferTitle: "Rent", ...naturalReceiver },
  ],
  [
    "sepa",
    { of: "partner", ...sepa, receiver: { company: "Vogel" } },
    "/v1/partner/sepa-transfer",
    { ...ibanTransferBody, transferTitle: "r-1", receiverType: "LEGAL", companyName: "Vogel" },
  ],
  [
    "withdraw",
    { of: user, ...withdrawal },
    "/v1/crypto-withdrawal",
    { sourceExternalUserId: "user-1", ...withdrawalBody },
  ],
  ["withdraw", { of: "partner", ...withdrawal }, "/v1/partner/crypto-withdrawal", withdrawalBody],
  ["exchange", { of: user, ...exchange }, "/v1/exchange", { externalUserId: "user-1", ...exchangeBody }],
  ["exchange", { of: "partner", ...exchange }, "/v1/partner/exchange", exchangeBody],
  ["order", { lockId }, "/v1/order", { lockId }],
])("%s of %j is one request", async (kind, intent, path, body) => {
  const { payments, sentRequests } = scriptedPayments();
  const { state, attempts, id } = await payments[kind as "fund"]({ reference: "r-1", ...intent } as never);
  expect([state, attempts, id]).toEqual(["accepted", 1, "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63"]);
  expect(sentRequests).toEqual([[path, body]]);
  const requestBody = dereference(await documentOf("test")).paths?.[path]?.post?.requestBody as RequestBody;
  const { schema } = requestBody.content["application/json"];
  expect(Object.keys(propertiesOf(schema))).toEqual(expect.arrayContaining(Object.keys(body)));
  expect(Object.keys(body)).toEqual(expect.arrayContaining(requiredOf(schema)));
});

const fundIntent = { reference: "r-1", ...user, ...money };
const textMessage = "must be a text of 1 to 300 characters";
const positiveMessage = "must be a decimal string greater than zero";

const betweenIntent = { reference: "r-1", from: "a", to: "a", ...money };
const sepaIntent = { reference: "r-1", of: "partner", ...sepa };

type Refusal = [kind: string, intent: unknown, message: string];
const refusalsOf = (kind: string, intent: object, member: string, values: unknown[], message: string): Refusal[] =>
  values.map((value) => [kind, { ...intent, [member]: value }, message]);

it("takes texts of the greatest length", async () => {
  const { payments, sentRequests } = scriptedPayments();
  const longestIntent = {
    reference: "r".repeat(200),
    user: "u".repeat(300),
    amount: `1.${"5".repeat(38)}`,
    currency: "EURC",
  };
  expect(await payments.fund(longestIntent)).toMatchObject({ state: "accepted" });
  expect(sentRequests).toHaveLength(1);
});

describe("is refused with the reason, and nothing is sent:", () => {
  const parties = [undefined, null, {}, { user: "" }, { user: "a", and: "b" }, "user-1"];
  const names = [{ company: "" }, { firstName: "Lena", lastName: "" }, { company: "a", lastName: "b" }];
  const references = ["", "a\nb", "\ud800", "x".repeat(201), 5, undefined];
  const amounts = ["0", "0.00", "-1", "1e3", "1,00", "", `1.${"0".repeat(40)}`, 10, undefined];

  it.each<Refusal>([
    ...[undefined, null, "invoice"].map((notAnObject): Refusal => ["fund", notAnObject, "fund takes an object"]),
    ...refusalsOf("fund", fundIntent, "reference", references, "reference must be a text of 1 to 200 characters"),
    ...refusalsOf(
      "fund",
      fundIntent,
      "reference",
      ["u\u0308", "\u212b"],
      "reference is not in the composed form of Unicode",
    ),
    ["fund", { ...fundIntent, from: "b" }, 'There is no member of fund "from". There are reference, user,'],
    [
      "fund",
      { ...fundIntent, "s3cr3t key": "b" },
      "There is no member of fund with a name that is not shown. There are",
    ],
    ...refusalsOf("fund", fundIntent, "user", ["", " ", "x".repeat(301), undefined, 5], textMessage),
    ...refusalsOf("fund", fundIntent, "amount", amounts, positiveMessage),
    ...refusalsOf(
      "fund",
      fundIntent,
      "currency",
      ["e", "eur ", "x".repeat(17), undefined, 5],
      "must be a code such as eur",
    ),
    ["between", betweenIntent, "from and to are the same user"],
    ...refusalsOf("sepa", sepaIntent, "of", parties, 'of must be "partner" or { user: externalUserId }'),
    ...refusalsOf("sepa", sepaIntent, "receiver", [undefined, null, {}, ...names], "must be { firstName, lastName }"),
    ["sepa", { ...sepaIntent, title: undefined }, `title ${textMessage}. Got undefined.`],
    ["sepa", { ...sepaIntent, title: "" }, `title ${textMessage}. Got none.`],
  ])("%s of %j", async (kind, intent, message) => {
    const { payments, sentRequests } = scriptedPayments();
    const result = payments[kind as "fund"](intent as never);
    await expect(result).rejects.toThrow(TypeError);
    await expect(result).rejects.toThrow(message);
    expect(sentRequests).toEqual([]);
  });

  it("a payment of the edition test, by a client of the edition latest", async () => {
    const { payments, sentRequests } = scriptedPayments({}, "latest");
    const result = payments.exchange({ reference: "r-1", of: user, ...exchange });
    await expect(result).rejects.toThrow("exchange: createExchange needs a client of the edition test.");
    expect([await payments.get("r-1"), sentRequests]).toEqual([undefined, []]);
  });
});

const read = async () => undefined;
it.each<[object, string | undefined]>([
  [{ client: {} }, "client must be a client, as createClient returns it."],
  [{ store: undefined }, "store must be a PaymentStore"],
  [{ store: { read, write: read, equal: read } }, "It has no withId, open, contradicted."],
  [{ evidences: "identifiers" }, 'There is no option "evidences". There are client, store,'],
  [{ repeatafter: "15 minutes" }, 'There is no option "repeatafter". Write repeatAfter.'],
  [{ lookForMs: -1 }, "lookForMs must be a number of milliseconds from 0 to 3600000"],
  [{ lookForMs: 3_600_001 }, "lookForMs must be"],
  [{ lookForMs: "5" }, "lookForMs must be"],
  [{ timeoutMs: 0 }, "timeoutMs must be a number of milliseconds from 1 to 600000"],
  [{ timeoutMs: 600_001 }, "timeoutMs must be"],
  [{ lookForMs: 0, timeoutMs: 1 }, undefined],
  [{ lookForMs: 3_600_000, timeoutMs: 600_000 }, undefined],
  ...["15", "0 minutes", "1 week", "-1 days", "9999999 hours", 15].map((repeatAfter): [object, string] => [
    { repeatAfter },
    'repeatAfter must be a length of time such as "15 minutes"',
  ]),
  ...["1 second", "1.5 hours", "30 days"].map((repeatAfter): [object, undefined] => [{ repeatAfter }, undefined]),
])("options %j: %s", (options, message) => {
  const make = () => scriptedPayments(options as Partial<PaymentsOptions>);
  if (message === undefined) expect(make).not.toThrow();
  else expect(make).toThrow(message);
});

it.each([undefined, null, "payments.db"])("`createPayments(%o)` names the options that it needs", (options) => {
  expect(() => createPayments(options as never)).toThrow("createPayments takes an object with client and store.");
});

it.each([
  ["an amount without digits after its point", { amount: "1." }, /^fund: .*amount/],
  [
    "a user whose history cannot be read",
    { user: "a/../b" },
    /^fund: getUserTransactionHistory: The path parameter "externalUserId"/,
  ],
])("rejects what the client does not send, and stores nothing: %s", async (_, changes, message) => {
  const { payments, sentRequests } = scriptedPayments();
  const intent = { reference: "invoice-1", user: "user-1042", amount: "1.00", currency: "eur" };
  await expect(payments.fund({ ...intent, ...changes })).rejects.toThrow(message);
  expect(await payments.get("invoice-1")).toBeUndefined();
  expect(await payments.fund(intent)).toMatchObject({ state: "accepted" });
  expect(sentRequests).toHaveLength(1);
});

it.each([
  ["without node:crypto", () => undefined],
  ["with an incomplete node:crypto", () => ({})],
  ["that throws for unknown modules", () => expect.unreachable()],
])("compares a payment in the same way on a runtime %s", async (_runtime, getModule) => {
  const intent = { reference: "invoice-\u00e9", user: "user-\u{1f600}", amount: "1.00", currency: "eur" };
  const store = createMemoryStore();
  const { payments, sentRequests } = scriptedPayments({ store });
  const payment = await payments.fund(intent);
  const stored = await store.read(intent.reference);
  const mock = vi.spyOn(process, "getBuiltinModule").mockImplementation(getModule as never);
  try {
    expect(await payments.fund(intent)).toEqual(payment);
    await expect(payments.fund({ ...intent, user: "user-2" })).rejects.toThrow("with another user.");
    expect(sentRequests).toHaveLength(1);
  } finally {
    mock.mockRestore();
  }
  expect(await store.read(intent.reference)).toEqual(stored);
});

it("an intent whose objects are changed after the call is compared as it was given, in any order of its members", async () => {
  const { payments, sentRequests } = scriptedPayments();
  const receiver = { firstName: "Lena", lastName: "Vogel" };
  const party = { user: "user-1" };
  const intent = { reference: "r-1", ...sepa, of: party, receiver };
  const payment = payments.sepa(intent);
  receiver.lastName = "Adler";
  party.user = "user-2";
  await payment;
  const sameReceiver = { lastName: "Vogel", firstName: "Lena" };
  expect(await payments.sepa({ ...intent, of: user, receiver: sameReceiver })).toMatchObject({ attempts: 1 });
  await expect(payments.sepa(intent)).rejects.toThrow("was stored with another of, receiver");
  expect(sentRequests).toHaveLength(1);
});
