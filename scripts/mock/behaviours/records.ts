/**
 * The fields of each stored resource, by its name in `openapi/resources.yaml`. Plain data: amounts in minor units, times in milliseconds
 * since 1970. The owner of a resource is a user's externalUserId, or null for the partner.
 */
import type { World } from "../kernel/world.ts";
import type { Entity } from "../plan/data.ts";

export interface UserData {
  userId: string;
  /** The attributes as received: email, phone, country… */
  attributes: Readonly<Record<string, unknown>>;
  poaRequiredForExtended: boolean;
  /** Number of the identity document of the last accepted verification. */
  documentNumber: string | null;
  /** Last day on which the verification is valid (YYYY-MM-DD); unlimited when null or missing. */
  verifiedUntil?: string | null;
  /** Number of accepted verifications. */
  attempts: number;
  /** Names of the uploaded KYC files. */
  files: readonly string[];
}

interface Amount {
  /** Minor units; negative for an outgoing transaction. */
  units: bigint;
  currency: string;
}

interface Rate {
  currencyFrom: string;
  currencyTo: string;
  unitsFrom: bigint;
  unitsTo: bigint;
  /** The price of one unit of currencyFrom in currencyTo, as a decimal string. */
  rate: string;
}

export type ResourceData = {
  user: UserData;
  kycFiles: { names: readonly string[] };
  kycVerification: {
    /** Id of the hosted verification page; null for a verification by uploaded files. */
    verificationId: string | null;
    rejectionReason: string | null;
    /** Sequence number of the attempt: a job for a replaced attempt does nothing. */
    number: number;
    /** Expiry date of the document (YYYY-MM-DD). Null until Add User Verification, without which the attempt verifies nobody. */
    documentExpirationDate: string | null;
  };
  riskVerification: Record<string, never>;
  userBalances: Record<string, never>;
  /** The euro balance. Crypto balances have no state, so they are not resources; `cryptoIds` has their identifiers. */
  fiatBalance: {
    currency: string;
    /** Null until the balance is active. */
    iban: string | null;
    /** The transfer title by which SEPA deposits are assigned to this balance. */
    transferTitle: string;
    /** The identifiers of the owner's crypto balances, by currency. */
    cryptoIds: Readonly<Record<string, string>>;
  };
  iban: { iban: string | null };
  /** A wallet, whose id is its address. */
  wallet: { currency: string; network: string };
  transaction: Amount & {
    type: string;
    /** The ledger account with the held amount. Null once it is settled or returned. */
    held: string | null;
    /** For an exchange: the debited amount, negative. */
    unitsFrom?: bigint;
    currencyFrom?: string;
    /** Time from which the history shows the record, in milliseconds since 1970; by default its creation time. */
    visibleAt?: number;
    /** Further fields of the record, such as transferTitle or exchangeId, as the history shows them. */
    fields: Readonly<Record<string, string>>;
  };
  card: {
    label: string;
    pin: string;
    cardNumber: string;
    cvv: string;
    exp: string;
    /** The six limits, by their names in the interface. */
    limits: Readonly<Record<string, number>>;
  };
  cardTransaction: Amount & { cardId: string; merchant: string; transactionId: string };
  cryptoDeposit: Amount & {
    network: string;
    /** The address of the sender. */
    from: string;
    transactionHash: string | null;
    transactionId: string;
  };
  cryptoWithdrawal: Amount & {
    fee: bigint;
    network: string;
    walletAddress: string;
    transactionHash: string | null;
    transactionId: string;
  };
  transfer: Amount & {
    source: string | null;
    destination: string | null;
    /** The history records of the source and of the destination. */
    outgoingId: string;
    incomingId: string | null;
    /** The reason of a failure. */
    reason?: string;
  };
  sepaTransfer: Amount & {
    destinationIban: string;
    transferTitle: string;
    receiverFirstName: string | null;
    receiverLastName: string | null;
    transactionId: string;
    /** The reason of a failure. */
    reason?: string;
  };
  sepaDeposit: Amount & {
    transferTitle: string;
    sourceAccountNumber: string;
    issuer: string | null;
    transactionId: string;
  };
  exchange: Rate & { lockId: string; transactionId: string };
  exchangeLock: Rate & { expiresAt: number };
  orderLock: {
    cryptocurrency: string;
    network: string;
    /** The fiat amount, in euro cents. */
    fiatUnits: bigint;
    /** The amount in the cryptocurrency. */
    units: bigint;
    /** Fiat per unit of the cryptocurrency, as a decimal string. */
    rate: string;
    expiresAt: number;
  };
  order: {
    lockId: string;
    cryptocurrency: string;
    network: string;
    units: bigint;
    received: bigint;
    confirmations: number;
    requiredConfirmations: number;
    walletAddress: string | null;
    transactionHash: string | null;
    expiresAt: number | null;
  };
  paymentLink: Amount & {
    url: string;
    title: string | null;
    cryptocurrency: string | null;
    network: string | null;
    received: bigint;
    transactionHash: string | null;
    expiresAt: number;
  };
};

/** A world of the mock, with the resources of the contract. */
export type MockWorld = World<ResourceData>;

export type ResourceName = keyof ResourceData & string;

/** A stored resource. */
export type Resource<Name extends ResourceName> = Entity<ResourceData[Name]>;
