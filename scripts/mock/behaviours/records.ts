/**
 * The fields of each stored resource, by its name in `openapi/resources.yaml`. Plain data: amounts in minor units, times in milliseconds
 * since 1970. The owner of a resource is a user's externalUserId, or null for the partner.
 */
import type { World } from "../kernel/world.ts";
import type { Entity } from "../plan/data.ts";

export interface FieldValues {
  text: string;
  /** A whole number from 0. */
  count: number;
  /** Milliseconds since 1970. */
  time: number;
  /** A decimal string above zero. */
  decimal: string;
  /** Minor units; negative for an outgoing transaction. */
  units: bigint;
  texts: readonly string[];
  numbers: Readonly<Record<string, number>>;
  namedTexts: Readonly<Record<string, string>>;
  attributes: Readonly<Record<string, unknown>>;
  flag: boolean;
  /** The code of a currency, in lower case. */
  currency: string;
  user: string;
  transaction: string;
  card: string;
  /** The id of a lock of an exchange or of an order. */
  lock: string;
}

/** The form of a field: with `?` it may be missing, with `|null` it may be null. */
export type FieldForm = `${keyof FieldValues}${"" | "?" | "|null"}`;

export const forms = {
  user: {
    userId: "text",
    attributes: "attributes",
    poaRequiredForExtended: "flag",
    documentNumber: "text|null",
    // Last day on which the verification is valid (YYYY-MM-DD); null without a limit.
    verifiedUntil: "text|null",
    attempts: "count",
    files: "texts",
  },
  kycFiles: { names: "texts" },
  kycVerification: {
    // Id of the hosted verification page; null for a verification by uploaded files.
    verificationId: "text|null",
    rejectionReason: "text|null",
    // Sequence number of the attempt: a job for a replaced attempt does nothing.
    number: "count",
    // Expiry date of the document (YYYY-MM-DD). Null until Add User Verification, without which the attempt verifies nobody.
    documentExpirationDate: "text|null",
  },
  riskVerification: {},
  userBalances: {},
  // The euro balance. Crypto balances have no state, so they are not resources; `cryptoIds` has their identifiers, by currency.
  fiatBalance: {
    currency: "currency",
    // Null until the balance is active.
    iban: "text|null",
    // The transfer title by which SEPA deposits are assigned to this balance.
    transferTitle: "text",
    cryptoIds: "namedTexts",
  },
  iban: { iban: "text|null" },
  // The id of a wallet is its address.
  wallet: { currency: "currency", network: "text" },
  transaction: {
    units: "units",
    currency: "currency",
    type: "text",
    // The ledger account that holds the amount; null after the amount is settled or returned.
    held: "text|null",
    // For an exchange: the debited amount, negative.
    unitsFrom: "units?",
    currencyFrom: "currency?",
    // Time from which the history shows the record; by default its creation time.
    visibleAt: "time?",
    fields: "namedTexts",
  },
  card: { label: "text", pin: "text", cardNumber: "text", cvv: "text", exp: "text", limits: "numbers" },
  cardTransaction: {
    units: "units",
    currency: "currency",
    cardId: "card",
    merchant: "text",
    transactionId: "transaction",
  },
  cryptoDeposit: {
    units: "units",
    currency: "currency",
    network: "text",
    from: "text",
    transactionHash: "text|null",
    transactionId: "transaction",
  },
  cryptoWithdrawal: {
    units: "units",
    currency: "currency",
    fee: "units",
    network: "text",
    walletAddress: "text",
    transactionHash: "text|null",
    transactionId: "transaction",
  },
  transfer: {
    units: "units",
    currency: "currency",
    source: "user|null",
    destination: "user|null",
    outgoingId: "transaction",
    incomingId: "transaction|null",
    reason: "text?",
  },
  sepaTransfer: {
    units: "units",
    currency: "currency",
    destinationIban: "text",
    transferTitle: "text",
    receiverFirstName: "text|null",
    receiverLastName: "text|null",
    transactionId: "transaction",
    reason: "text?",
  },
  sepaDeposit: {
    units: "units",
    currency: "currency",
    transferTitle: "text",
    sourceAccountNumber: "text",
    issuer: "text|null",
    transactionId: "transaction",
  },
  exchange: {
    currencyFrom: "currency",
    currencyTo: "currency",
    unitsFrom: "units",
    unitsTo: "units",
    // The price of one unit of currencyFrom in currencyTo.
    rate: "decimal",
    lockId: "lock",
    transactionId: "transaction",
  },
  exchangeLock: {
    currencyFrom: "currency",
    currencyTo: "currency",
    unitsFrom: "units",
    unitsTo: "units",
    rate: "decimal",
    expiresAt: "time",
  },
  orderLock: {
    cryptocurrency: "currency",
    network: "text",
    // In euro cents.
    fiatUnits: "units",
    // The amount in the cryptocurrency.
    units: "units",
    // The price of one unit of the cryptocurrency in euro.
    rate: "decimal",
    expiresAt: "time",
  },
  order: {
    lockId: "lock",
    cryptocurrency: "currency",
    network: "text",
    units: "units",
    received: "units",
    confirmations: "count",
    requiredConfirmations: "count",
    walletAddress: "text|null",
    transactionHash: "text|null",
    expiresAt: "time|null",
  },
  paymentLink: {
    units: "units",
    currency: "currency",
    url: "text",
    title: "text|null",
    cryptocurrency: "currency|null",
    network: "text|null",
    received: "units",
    transactionHash: "text|null",
    expiresAt: "time",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FieldForm>>>>;

type ValueOf<Form> = Form extends keyof FieldValues
  ? FieldValues[Form]
  : Form extends `${infer Kind extends keyof FieldValues}?`
    ? FieldValues[Kind]
    : Form extends `${infer Kind extends keyof FieldValues}|null`
      ? FieldValues[Kind] | null
      : never;
type DataOf<Fields> = {
  [Name in keyof Fields as Fields[Name] extends `${string}?` ? never : Name]: ValueOf<Fields[Name]>;
} & { [Name in keyof Fields as Fields[Name] extends `${string}?` ? Name : never]?: ValueOf<Fields[Name]> };

export type ResourceData = { [Name in keyof typeof forms]: DataOf<(typeof forms)[Name]> };

export type MockWorld = World<ResourceData>;

export type ResourceName = keyof ResourceData & string;

export type Resource<Name extends ResourceName> = Entity<ResourceData[Name]>;
