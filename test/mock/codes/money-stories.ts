/** The refusals that rest on money, locks and months. */
import type { InProcessMock } from "../../../scripts/mock/mock.ts";
import { type Call, withBody, withValueAt } from "./calls.ts";
import { perform, type Stage } from "./stage.ts";
import { type Stories, unknownId } from "./stories.ts";

type Told = ReturnType<NonNullable<Stories[string]>>;

/** By the code alone. */
export const moneyStories: Stories = {
  "404": (call) => {
    const [parameter] = call.operation.parameters;
    return [["an unknown identifier", withValueAt(call, placeOf(call, parameter?.name), unknownId), undefined]];
  },
  P428: (call) => [["an unknown transfer", withValueAt(call, "$request.path.transferId", unknownId), unknownId]],
  P410: (call) => [
    ["an unknown currency", withValueAt(call, "$request.query.currency", "doubloon"), "doubloon"],
    ["a fiat currency", withValueAt(call, "$request.query.currency", "eur"), "eur"],
    ["a network of another currency", { ...call, query: { currency: "usdc", network: "btc" } }, "btc"],
  ],
  P424: (call) => {
    const nobody = { sourceExternalUserId: undefined, destinationExternalUserId: undefined };
    return [["neither source nor destination", withBody(call, nobody), "body"]];
  },
  P433: (call) => [
    ["more than the user has", withBody(call, { amount: 123456.78 }), "123456.78 eur"],
    ["another currency", withBody(call, { currency: "btc", amount: 0.00000001 }), "owner"],
    [
      "more than the partner has",
      withBody(call, { sourceExternalUserId: undefined, amount: 654321 }),
      "the partner does not have 654321 eur",
    ],
    [
      "what is left of it",
      withBody(call, { amount: 10_000 }),
      "10000 eur",
      (mock, stage) => perform(mock, stage, "createTransfer"),
    ],
  ],
  P435: (call) => [
    ["a month of 1999", at(call, "04", "1999"), "04/1999"],
    ["thirteen months ago", at(call, "03", "2025"), "03/2025"],
    ["the next month", at(call, "05", "2026"), "05/2026"],
    ["no month", at(call, "13", "2026"), "month"],
  ],
};

/** By operationId and code. */
export const lockStories: Stories = {
  "createExchange P403": (call) => [
    ...unusable(call, "exchangeLock"),
    ["a lock of another user", withBody(call, { externalUserId: "friend" }), String(call.body?.lockId)],
    ["another amount", withBody(call, { amount: "200.01" }), "amount"],
    ["another currency", withBody(call, { currencyTo: "btc" }), String(call.body?.lockId)],
  ],
  "createPartnerExchange P403": (call) => [
    ...unusable(call, "exchangeLock"),
    ["another amount", withBody(call, { amount: 501 }), "amount"],
  ],
  "createOrder P403": (call) => unusable(call, "orderLock"),

  "createTransfer P403": (call) => [
    ["to oneself", withBody(call, { destinationExternalUserId: "owner" }), "same user"],
    ["a tenth of a cent", withBody(call, { amount: 0.001 }), "amount"],
    ["nothing", withBody(call, { amount: 0 }), "amount"],
    ["an unknown currency", withBody(call, { currency: "doubloon" }), "doubloon"],
  ],
  "createSepaTransfer P403": (call) => notByBank(call),
  "createPartnerSepaTransfer P403": (call) => notByBank(call),
  "createCryptoWithdrawal P403": (call) => notByChain(call),
  "createPartnerCryptoWithdrawal P403": (call) => notByChain(call),
  "createPaymentLink P403": (call) => [["not in euro", withBody(call, { currency: "usdc" }), "usdc"]],
  "createHostedCheckout P403": (call) => [["not in euro", withBody(call, { currency: "usdc" }), "usdc"]],
  "createPartnerWallet P403": (call) => [["a fiat currency", withBody(call, { currency: "eur" }), "eur"]],
  "transferToMasterBalance P403": (call) => [["an unknown currency", withBody(call, { currency: "xyz" }), "xyz"]],
  "createOrderRateLock P403": (call) => [
    ["an unknown currency", withBody(call, { currency: "doubloon" }), "doubloon"],
    ["an unknown network", withBody(call, { network: "arpanet" }), "arpanet"],
  ],
  ...Object.fromEntries(
    ["getExchangeRate", "createExchangeRateLock", "getPartnerExchangeRate", "createPartnerExchangeRateLock"].map(
      (id) => [`${id} P403`, notExchanged],
    ),
  ),
  "getOrderRates P403": (call) => [
    ["an unknown currency", withValueAt(call, "$request.query.currency", "doubloon"), "doubloon"],
  ],
};

function placeOf({ path }: Call, name = ""): string {
  return `$request.${name in path ? "path" : "query"}.${name}`;
}

function at(call: Call, month: string, year: string): Call {
  return { ...call, path: { ...call.path, month, year } };
}

/** A lock that is unknown, of another kind, used or expired. */
function unusable(call: Call, resource: string): Told {
  const lockId = String(call.body?.lockId);
  const { operationId } = call.operation;
  const use = (mock: InProcessMock, stage: Stage) => perform(mock, stage, operationId);
  const expire = (mock: InProcessMock) => mock.happen(resource, "lockExpires", { lockId });
  return [
    ["an unknown lock", withBody(call, { lockId: unknownId }), unknownId],
    ["a lock that was used", call, lockId, use],
    ["a lock that was let expire", call, lockId, expire],
    ["a lock whose time is over", call, lockId, (mock) => mock.clock.advance("6 minutes")],
  ];
}

function notByBank(call: Call): Told {
  return [
    ["a cryptocurrency", withBody(call, { currency: "usdc" }), "usdc"],
    ["half a cent", withBody(call, { amount: 0.005 }), "amount"],
  ];
}

function notByChain(call: Call): Told {
  return [
    ["a fiat currency", withBody(call, { currency: "eur", network: undefined }), "eur"],
    ["a network of another currency", withBody(call, { network: "btc" }), "btc"],
  ];
}

function notExchanged(call: Call): Told {
  return [
    ["an unknown currency", withValueAt(call, "$request.query.currencyTo", "doubloon"), "doubloon"],
    ["for itself", withValueAt(call, "$request.query.currencyTo", call.query.currencyFrom), "the same"],
  ];
}
