/** The form of `openapi/mock.yaml`: what the mock assumes where nobody states it. */

/** A network of a cryptocurrency. Amounts are decimal strings. */
export interface Network {
  readonly chain: string;
  /** The fixed fee of the service for a withdrawal. */
  readonly fee: string;
  /** What the network charges for a withdrawal. */
  readonly networkFee: string;
  readonly minWithdrawal: string;
  readonly minDeposit: string;
}

export interface Currency {
  readonly kind: "fiat" | "crypto";
  readonly decimals: number;
  /** What one unit is worth in euro, as a decimal string. */
  readonly rate: string;
  readonly networks?: Readonly<Record<string, Network>>;
}

/** The open questions that a section rests on, and the operations whose answers rest on it. */
interface Questions {
  readonly questions: readonly string[];
  readonly answers?: readonly string[];
}

type Countries =
  | "proofOfAddressRequired"
  | "forbidden"
  | "withoutCards"
  | "additionalRiskVerification"
  | "blockedByHighRisk"
  | "rejectedByRisk"
  | "rejectedByProvider"
  | "filesFail";

/** What no two users can have alike. */
export type UniqueAttribute = "phone" | "email" | "documentNumber";

type CardLimit = "monthlyTrxAll" | "dailyTrxAll" | "monthlyTrxAtm" | "dailyTrxAtm" | "monthlyTrxEcom" | "dailyTrxEcom";

type Delay =
  | "kycFiles"
  | "kycCheck"
  | "kycDecision"
  | "riskDecision"
  | "proofOfAddress"
  | "balances"
  | "wallet"
  | "iban"
  | "cardActivation"
  | "cardSettlement"
  | "transfer"
  | "exchange"
  | "sepaTransfer"
  | "sepaDeposit"
  | "cryptoDeposit"
  | "travelRule"
  | "cryptoWithdrawal"
  | "orderAddress"
  | "orderConfirmation"
  | "payment";

export interface Assumptions {
  readonly currencies: Questions & { readonly list: Readonly<Record<string, Currency>> };
  readonly countries: Questions & { readonly [List in Countries]: readonly string[] };
  readonly deletion: Questions & { readonly frees: readonly UniqueAttribute[] };
  readonly verification: Questions & { readonly attempts: number };
  readonly kycFiles: Questions & { readonly types: readonly string[]; readonly maxBytes: number };
  readonly locks: Questions & { readonly exchangeSeconds: number; readonly orderSeconds: number };
  readonly exchanges: Questions & {
    /** Decimal strings, by the currency to give and the currency to get; for other pairs the quotient of their rates counts. */
    readonly rates: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  readonly orders: Questions & {
    /** By network. */
    readonly requiredConfirmations: Readonly<Record<string, number>>;
    readonly seconds: number;
  };
  readonly cards: Questions & { readonly years: number; readonly limits: Readonly<Record<CardLimit, number>> };
  readonly paymentLinks: Questions & { readonly seconds: number };
  /** Accounts of the service (`code`) and those that deposits come from (`senderCode`, at the bank `sender`). */
  readonly bank: Questions & {
    readonly country: string;
    readonly code: string;
    readonly senderCode: string;
    readonly sender: string;
    readonly swift: string;
    readonly address: string;
    /** The holder of the partner's account. */
    readonly partnerName: string;
  };
  /** The cryptocurrencies for which a user gets a wallet after the verification. */
  readonly wallets: Questions & { readonly ofUsers: readonly string[] };
  /** Seconds. */
  readonly delays: Questions & { readonly [Name in Delay]: number };
}
