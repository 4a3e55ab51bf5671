import { type Condition, conditions } from "../conditions.ts";
import { type Journey, maskSecret } from "../journey.ts";

const [companyAddress, personAddress] = [
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0xde709f2102306220921060314715629080e2fb77",
] as const;
const receiverNames = ["Voorbeeld Fietsen B.V.", "Camille Laurent"] as const;

/** The rows include two equal exchanges, and two withdrawals that differ only in wallet and receiver, which the history does not show. */
const rows: Journey["rows"] = [
  { reference: "tr-1", kind: "exchange", amount: "100.00", currency: "eur", to: "usdc" },
  {
    reference: "tr-2",
    kind: "withdraw",
    amount: "25.00",
    currency: "usdc",
    network: "polygon",
    address: companyAddress,
    name: receiverNames[0],
    walletType: "CUSTODIAL",
    receiverType: "LEGAL",
  },
  {
    reference: "tr-3",
    kind: "withdraw",
    amount: "25.00",
    currency: "usdc",
    network: "polygon",
    address: personAddress,
    name: receiverNames[1],
    walletType: "NON_CUSTODIAL",
    receiverType: "NATURAL",
  },
  { reference: "tr-4", kind: "exchange", amount: "100.00", currency: "eur", to: "usdc" },
  { reference: "tr-5", kind: "order", amount: "320.00", currency: "eur", to: "btc", network: "btc" },
];

/** A row of the input and its record in the mock get the same words. Only the last four characters of an address are shown. */
function describeRow(kind: string, values: Readonly<Record<string, string | number | undefined>>): string {
  const { amount, currency, to, network, address = "" } = values;
  if (kind === "exchange") return `${Number(amount)} ${currency} exchanged for ${to}`;
  if (kind === "order") return `an order of ${to} on ${network} for ${Number(amount)} ${currency}`;
  const receiver = address === companyAddress || address === personAddress ? "the address" : "an address of no row,";
  return `${Number(amount)} ${currency} on ${network} to ${receiver} ${maskSecret(String(address))}`;
}

const decimalPlaces: Readonly<Record<string, number>> = { eur: 2, usdc: 6, btc: 8 };
const amountOf = (units: unknown, currency: unknown) => Number(units) / 10 ** (decimalPlaces[String(currency)] ?? 0);

const effectsOf: Journey["findEffects"] = (entities, hasFailedAtEnd) =>
  entities.flatMap((entity) => {
    const { resource, owner, data } = entity;
    const hasFailed = hasFailedAtEnd(entity);
    const values = data as Readonly<Record<string, string>>;
    const { currency, network, walletAddress, currencyFrom, unitsFrom, currencyTo, units, lockId, cryptocurrency } =
      values;
    const ownerSuffix = owner === null ? "" : `, of ${owner}`;
    if (resource === "exchange") {
      const rowValues = { amount: amountOf(unitsFrom, currencyFrom), currency: currencyFrom, to: currencyTo };
      return [{ description: `${describeRow("exchange", rowValues)}${ownerSuffix}`, hasFailed }];
    }
    if (resource === "cryptoWithdrawal") {
      const rowValues = { amount: amountOf(units, currency), currency, network, address: walletAddress };
      return [{ description: `${describeRow("withdraw", rowValues)}${ownerSuffix}`, hasFailed }];
    }
    if (resource !== "order") return [];
    const lock = entities.find((candidate) => candidate.resource === "orderLock" && candidate.id === lockId);
    const amount = amountOf((lock?.data as Readonly<Record<string, string>> | undefined)?.fiatUnits, "eur");
    return [{ description: describeRow("order", { amount, currency: "eur", to: cryptocurrency, network }), hasFailed }];
  });

const lockByOperation = { createPartnerExchangeRateLock: "exchangeLock", createOrderRateLock: "orderLock" } as const;

const lockExpired: Condition = {
  name: "lock-expired",
  meaning: "the lock of a rate has expired when it is used: the call with it is refused (P403)",
  questions: ["Q-lock-duration"],
  operations: Object.keys(lockByOperation),
  fault: () => ({ delay: 200 }),
  duringDelay: ({ world, operation }) => {
    world.triggerEvent(lockByOperation[operation as keyof typeof lockByOperation], "lockExpires");
  },
};

export const treasury: Journey = {
  name: "treasury",
  text: "exchanges the partner's money, withdraws cryptocurrency and places orders",
  columns: [
    "reference",
    "kind",
    "amount",
    "currency",
    "to",
    "network",
    "address",
    "name",
    "walletType",
    "receiverType",
  ],
  rows,
  expectedEffects: rows.map(({ reference = "", kind = "", ...values }) => ({
    reference,
    description: describeRow(kind, values),
  })),
  operations: ["createPartnerExchange", "createPartnerCryptoWithdrawal", "createOrder"],
  // None of these operations documents a P-code for insufficient funds.
  conditions: [...conditions.filter(({ needs }) => needs !== "refusal"), lockExpired],
  secrets: [
    ...receiverNames.map((text) => ({ name: "the name of a receiver", text })),
    ...[companyAddress, personAddress].map((text) => ({ name: "the address of a receiver", text })),
  ],
  async prepare(world, call) {
    world.partner.fund({ eur: "1000.00", usdc: "500" });
    // Locks expire later than the longest tested delay of an effect. How long the locks of the service are valid is not documented.
    world.assume({ locks: { exchangeSeconds: 86_400, orderSeconds: 86_400 } });
    // An earlier exchange and an earlier withdrawal that are similar to rows of the input. The program must not mistake them for its own
    // calls.
    const exchange = { currencyFrom: "eur", currencyTo: "usdc", amount: "100.00" };
    const lock = world.lockExchange(null, exchange);
    await call("createPartnerExchange", { ...exchange, lockId: (lock as { lockId: string }).lockId });
    await call("createPartnerCryptoWithdrawal", {
      currency: "usdc",
      amount: "25.00",
      network: "polygon",
      walletAddress: companyAddress,
      name: receiverNames[0],
      walletType: "CUSTODIAL",
      receiverType: "LEGAL",
    });
  },
  findEffects: effectsOf,
  successWord: "carried out",
};
