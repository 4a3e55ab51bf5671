/**
 * The fields of each resource that the mock keeps, by its name in `openapi/resources.yaml`. Plain data: amounts are whole minor
 * units, times milliseconds since 1970. The owner of a resource is the externalUserId of its user, null for the partner.
 */
import type { World } from "../kernel/world.ts";
import type { Entity } from "../plan/data.ts";

export interface UserData {
  userId: string;
  /** The attributes as they were sent, email, phone, country… */
  attributes: Readonly<Record<string, unknown>>;
  poaRequiredForExtended: boolean;
  /** Of the last verification that was accepted. */
  documentNumber: string | null;
  /** The last day on which the user counts as verified (YYYY-MM-DD); there is no limit where it is null or left out. */
  verifiedUntil?: string | null;
  /** How many verifications were accepted. */
  attempts: number;
  /** Names of the KYC files that were added. */
  files: readonly string[];
}

interface Amount {
  /** Negative for outgoing. */
  units: bigint;
  currency: string;
}

interface Rate {
  currencyFrom: string;
  currencyTo: string;
  unitsFrom: bigint;
  unitsTo: bigint;
  /** How much of currencyTo one unit of currencyFrom is worth, as a decimal string. */
  rate: string;
}

export type ResourceData = {
  user: UserData;
  kycFiles: { names: readonly string[] };
  kycVerification: {
    /** Of the hosted flow; null for one by files. */
    verificationId: string | null;
    rejectionReason: string | null;
    /** Tells one attempt of the user from the one that replaces it. */
    number: number;
    /** Of the document (YYYY-MM-DD); null for an attempt that Add User Verification has not finalised: it verifies nobody. */
    documentExpirationDate: string | null;
  };
  riskVerification: Record<string, never>;
  userBalances: Record<string, never>;
  /** The contract has no resource for crypto balances: they have no state but their amount. */
  fiatBalance: {
    currency: string;
    /** Null until the balance is active. */
    iban: string | null;
    /** The reference that SEPA deposits have to carry. */
    transferTitle: string;
    /** The identifiers of the crypto balances of the same owner, by currency. */
    cryptoIds: Readonly<Record<string, string>>;
  };
  iban: { iban: string | null };
  /** Its id is the address. */
  wallet: { currency: string; network: string };
  transaction: Amount & {
    type: string;
    /** Where an outgoing amount waits until it is settled: the account of the ledger. Null once it is settled or given back. */
    held: string | null;
    /** Of an exchange: what is debited, negative. */
    unitsFrom?: bigint;
    currencyFrom?: string;
    /** When the history begins to show it, in milliseconds since 1970; from its creation on where it is left out. */
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
    /** The record in the history of the source and of the destination. */
    outgoingId: string;
    incomingId: string | null;
    /** Why it has failed. */
    reason?: string;
  };
  sepaTransfer: Amount & {
    destinationIban: string;
    transferTitle: string;
    receiverFirstName: string | null;
    receiverLastName: string | null;
    transactionId: string;
    /** Why it has failed. */
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
    /** The fiat amount, in cents of a euro. */
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

/** A resource that the mock keeps. */
export type Resource<Name extends ResourceName> = Entity<ResourceData[Name]>;
