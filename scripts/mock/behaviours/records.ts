import type { World } from "../kernel/world.ts";
import type { Entity } from "../plan/data.ts";

export interface FieldValues {
  text: string;
  /** A whole number, 0 or more. */
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
  /** The id of a lock for an exchange or an order. */
  lock: string;
}

/** The type of a field. `?`: the field may be missing. `|null`: the field may be null. */
export type FieldForm = `${keyof FieldValues}${"" | "?" | "|null"}`;

export const fieldForms = {
  user: {
    userId: "text",
    attributes: "attributes",
    poaRequiredForExtended: "flag",
    documentNumber: "text|null",
    // The last day on which the verification is valid (YYYY-MM-DD); null if it does not expire, or the user was never verified.
    verifiedUntil: "text|null",
    attempts: "count",
    files: "texts",
  },
  kycFiles: { names: "texts" },
  kycVerification: {
    // The id of the hosted verification page; null for a verification without such a page.
    verificationId: "text|null",
    rejectionReason: "text|null",
    // The sequence number of the attempt. A job that was scheduled for an earlier attempt does nothing.
    number: "count",
    // Expiry date of the document (YYYY-MM-DD); null until Add User Verification.
    documentExpirationDate: "text|null",
  },
  riskVerification: {},
  userBalances: {},
  // The euro balance. Crypto balances are not resources, because they have no state; `cryptoIds` holds their identifiers by currency.
  fiatBalance: {
    currency: "currency",
    iban: "text|null",
    // The transfer title that identifies SEPA deposits to this balance.
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
    // The ledger account that holds the amount; null if no amount is held.
    held: "text|null",
    // Only for an exchange: the debited amount, which is negative.
    unitsFrom: "units?",
    currencyFrom: "currency?",
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
    // In cents of the fiat currency, which is assumed to be the euro.
    fiatUnits: "units",
    // The amount in the cryptocurrency.
    units: "units",
    // The price of one unit of the cryptocurrency in the fiat currency.
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

export type ResourceData = { [Name in keyof typeof fieldForms]: DataOf<(typeof fieldForms)[Name]> };

export type MockWorld = World<ResourceData>;

export type ResourceName = keyof ResourceData & string;

export type Resource<Name extends ResourceName> = Entity<ResourceData[Name]>;
