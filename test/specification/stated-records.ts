/**
 * The records, P-codes and the webhook that the interface specification states, typed by hand from the document and from
 * nothing else, like the operations.
 */
import type { Kind } from "./kinds.ts";

/** Fields of the answers and of the webhook, by kind. Those in `optional` can be absent. */
export interface RecordFacts {
  fields: Record<string, Kind>;
  optional?: string[];
}

export const records: Record<string, RecordFacts> = {
  message: { fields: { message: "string" } },
  user: { fields: { userId: "uuid", poaRequiredForExtended: "boolean" } },
  lock: {
    fields: {
      lockId: "uuid",
      rate: "number",
      amount: "number",
      expiresAt: "utcWithoutMilliseconds",
      cryptocurrency: "lowercaseCode",
      network: "string",
    },
  },
  card: {
    fields: {
      id: "uuid",
      status: "anyString",
      label: "string",
      cardLastDigits: "lastFourDigits",
      createdAt: "offsetWithoutMilliseconds",
    },
  },
  deposit: {
    fields: {
      externalId: "uuid",
      status: "anyString",
      amount: "decimal",
      currency: "uppercaseCode",
      from: "string",
      fee: "decimal",
      transactionHash: "hashOrNothing",
      createdAt: "utcWithMilliseconds",
      user: "alwaysNull",
    },
    optional: ["transactionHash", "user"],
  },
  transferEvent: {
    fields: {
      id: "uuid",
      sourceExternalUserId: "externalUserId",
      destinationExternalUserId: "externalUserIdOrNull",
      amount: "decimal",
      currency: "lowercaseCode",
      status: "anyString",
      createdAt: "utcWithMilliseconds",
    },
  },
};

/** Fields that every transaction record can have, whatever its type. */
export const transactionFields: RecordFacts = {
  fields: {
    id: "uuid",
    createdAt: "utcWithMilliseconds",
    type: "string",
    amount: "signedNumber",
    currency: "lowercaseCode",
    status: "anyString",
    btId: "uuid",
  },
  optional: ["btId"],
};

/** Fields that belong to records of one type. */
export const transactionFieldsByType: Record<string, RecordFacts> = {
  exchange: {
    fields: { amountFrom: "negativeNumber", currencyFrom: "lowercaseCode", exchangeId: "uuid" },
    optional: ["exchangeId"],
  },
  sepaDeposit: {
    fields: { transferTitle: "string", sourceAccountNumber: "string", issuer: "string" },
    optional: ["issuer"],
  },
  sepaTransfer: { fields: { transferTitle: "string", transferId: "uuid" }, optional: ["transferId"] },
};

export const transactionTypes: string[] = [
  "exchange",
  "atmFee",
  "transfer",
  "cardTransaction",
  "cryptoDeposit",
  "cryptoWithdrawal",
  "atmWithdrawal",
  "fiatDeposit",
  "payment",
  "partialRefund",
  "fiatWithdrawal",
  "transaction",
  "sepaDeposit",
  "sepaTransfer",
];

export const transactionStatuses: string[] = ["SUCCESSFUL", "UNSUCCESSFUL", "IN_PROGRESS", "IN_PROGRESS_TR_DATA"];

/** HTTP status and meaning of every P-code. */
export const errorCodes: Record<string, [status: number, meaning: string]> = {
  P213: [202, "Additional Risk Verification"],
  P403: [400, "Validation error"],
  P411: [400, "User exists"],
  P412: [404, "User not exist"],
  P426: [400, "Invalid file type"],
  P427: [404, "Missing KYC files"],
  P430: [400, "Too many verifications"],
  P431: [400, "Forbidden country"],
  P435: [400, "Invalid date"],
  P439: [400, "No KYC files"],
  P440: [400, "File too large"],
  P442: [400, "User already verified"],
  P446: [400, "KYC is not valid or expired"],
  P452: [400, "Changing country not possible"],
  P459: [400, "User not verified"],
  P461: [400, "User not extended"],
  P464: [400, "User exists with this phone"],
  P465: [400, "User exists with this email"],
  P466: [400, "User exists with this document number"],
  P473: [400, "Missing required parameters"],
  P474: [400, "User blocked by high risk"],
  P475: [400, "Verification rejected by Risk"],
  P500: [400, "Unknown exception"],
  P501: [400, "Service temporarily unavailable"],
};

export const webhook = {
  section: "4.9",
  key: "p2pTransfer",
  path: "/transfer-webhook",
  answer: 200,
};

/** How many sentences of the specification say that something is not shown. */
export const notShown = 23;
