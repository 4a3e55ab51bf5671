/**
 * What the interface specification states, typed by hand from the document and from nothing else. It is the oracle that
 * the contract is compared with: when the two disagree, one of them was read wrongly.
 */

/** A kind of value, by what it accepts and what it refuses. */
export const kinds = {
  string: { accepts: ["", "text", "42"], rejects: [1, true, null, {}] },
  externalUserId: { accepts: ["user-1", "42"], rejects: [1, null] },
  boolean: { accepts: [true, false], rejects: ["true", 1, null] },
  number: { accepts: [0.01, 250], rejects: ["0.01", null] },
  signedNumber: { accepts: [-12.5, 0.01, 250], rejects: ["-12.5", null] },
  negativeNumber: { accepts: [-12.5], rejects: [12.5, "-12.5", null] },
  decimal: { accepts: ["0.01500000", "250", "99.90"], rejects: [250, "1,50", "abc", "", "1.", null] },
  uuid: { accepts: ["5f0c2f5e-6f0d-4c55-9d3b-8f4f6f1f2a10"], rejects: ["5f0c2f5e", "", 5, null] },
  email: { accepts: ["a@mail.example"], rejects: ["a", "mail.example", 5, null] },
  digits: { accepts: ["447700900123"], rejects: ["+447700900123", "44 7700", 447700900123, null] },
  countryCode: { accepts: ["DE"], rejects: ["DEU", "D", "49", "", null] },
  date: { accepts: ["1991-07-23"], rejects: ["23.07.1991", "1991-7-23", "1991-13-01", "1991-07-23T00:00:00Z", null] },
  twoDigitMonth: { accepts: ["02", "12"], rejects: ["2", "13", "00", "002", "February"] },
  fourDigitYear: { accepts: ["2026"], rejects: ["26", "02026", "MMXX"] },
  lowercaseCode: { accepts: ["eur", "btc"], rejects: ["EUR", "Btc", "", null] },
  uppercaseCode: { accepts: ["BTC", "USDC"], rejects: ["btc", "Usdc", "", null] },
  utcWithMilliseconds: {
    accepts: ["2026-03-14T09:26:53.589Z"],
    rejects: ["2026-03-14T09:26:53Z", "2026-03-14T10:26:53.589+01:00", "2026-03-14", 1773480413, null],
  },
  utcWithoutMilliseconds: {
    accepts: ["2026-03-14T09:26:53Z"],
    rejects: ["2026-03-14T09:26:53.589Z", "2026-03-14T10:26:53+01:00", "2026-03-14", null],
  },
  offsetWithoutMilliseconds: {
    accepts: ["2026-03-14T10:26:53+01:00", "2026-03-14T03:26:53-06:00"],
    rejects: ["2026-03-14T09:26:53Z", "2026-03-14T10:26:53.589+01:00", null],
  },
  lastFourDigits: { accepts: ["4242", "0007"], rejects: ["242", "42424", 4242, null] },
  alwaysNull: { accepts: [null], rejects: [{}, "user-1", false] },
  externalUserIdOrNull: { accepts: ["user-2", null], rejects: [2, {}] },
  hashOrNothing: { accepts: ["9f2b7c"], rejects: [9, {}] },
  idCardOrPassport: { accepts: ["ID_CARD", "PASSPORT"], rejects: ["DRIVER_LICENSE", "passport", null] },
  anyString: { accepts: ["SUCCESSFUL", "something else"], rejects: [1, null] },
  file: { accepts: ["(bytes)"], rejects: [1, {}] },
} satisfies Record<string, { accepts: unknown[]; rejects: unknown[] }>;

export type Kind = keyof typeof kinds;

export interface OperationFacts {
  section: string;
  name: string;
  operationId: string;
  method: string;
  path: string;
  address: "base_url" | "deposit_base_url";
  pathParameters?: Record<string, Kind>;
  queryParameters?: Record<string, Kind>;
  deprecated?: true;
  body?: { mediaType: string; fields: Record<string, Kind> };
  /** Body fields that the specification calls required by the operation's own rules; undefined where it does not say. */
  success: Record<number, "message" | "user" | "history" | "lock" | "cards" | "deposit" | "P213">;
  /** Codes by status, exactly. An empty list is an answer without a code. */
  failures: Record<number, string[]>;
}

const userAttributes: Record<string, Kind> = {
  email: "email",
  phone: "digits",
  firstName: "string",
  lastName: "string",
  street: "string",
  number: "string",
  city: "string",
  postCode: "string",
  country: "countryCode",
  citizenship: "countryCode",
  nationality: "countryCode",
  birthCountry: "countryCode",
  birthDate: "date",
};

export const operations: OperationFacts[] = [
  {
    section: "4.1",
    name: "Create User Account",
    operationId: "createUserAccount",
    method: "post",
    path: "/v1/user/balances/crypto-and-fiat",
    address: "base_url",
    body: { mediaType: "application/json", fields: { externalUserId: "externalUserId", ...userAttributes } },
    success: { 201: "user" },
    failures: { 400: ["P403", "P411", "P431", "P464", "P465", "P500", "P501"], 401: [] },
  },
  {
    section: "4.2",
    name: "Get User Transaction History",
    operationId: "getUserTransactionHistory",
    method: "get",
    path: "/v1/user/transaction-history/{externalUserId}/{month}/{year}",
    address: "base_url",
    pathParameters: { externalUserId: "externalUserId", month: "twoDigitMonth", year: "fourDigitYear" },
    success: { 200: "history" },
    failures: { 400: ["P435", "P459", "P500", "P501"], 401: [], 404: ["P412"] },
  },
  {
    section: "4.3",
    name: "Retrieve Order Rate and Create a Lock",
    operationId: "createOrderRateLock",
    method: "post",
    path: "/v1/order/lock-rate",
    address: "base_url",
    body: {
      mediaType: "application/json",
      fields: { currency: "lowercaseCode", amount: "decimal", network: "string" },
    },
    success: { 201: "lock" },
    failures: { 400: ["P403", "P500", "P501"], 401: [] },
  },
  {
    section: "4.4",
    name: "Update Existing User",
    operationId: "updateUser",
    method: "patch",
    path: "/v1/user/{externalUserId}",
    address: "base_url",
    pathParameters: { externalUserId: "externalUserId" },
    body: { mediaType: "application/json", fields: userAttributes },
    success: { 200: "message" },
    failures: { 400: ["P403", "P452", "P464", "P465", "P500", "P501"], 401: [], 404: ["P412"] },
  },
  {
    section: "4.5",
    name: "Add KYC File",
    operationId: "addKycFiles",
    method: "post",
    path: "/v1/user/kyc-files/{externalUserId}",
    address: "base_url",
    pathParameters: { externalUserId: "externalUserId" },
    body: { mediaType: "multipart/form-data", fields: { front_id: "file", back_id: "file", selfie: "file" } },
    success: { 201: "message" },
    failures: { 400: ["P426", "P439", "P440", "P500", "P501"], 401: [], 404: ["P412"] },
  },
  {
    section: "4.6",
    name: "Add User Verification",
    operationId: "addUserVerification",
    method: "post",
    path: "/v1/user/verification",
    address: "base_url",
    body: {
      mediaType: "application/json",
      fields: {
        externalUserId: "externalUserId",
        documentType: "idCardOrPassport",
        documentNumber: "string",
        documentExpirationDate: "date",
        openAccountReason: "anyString",
        incomeSource: "anyString",
        occupation: "anyString",
      },
    },
    success: { 201: "message", 202: "P213" },
    failures: {
      400: ["P403", "P430", "P442", "P446", "P466", "P473", "P474", "P475", "P500", "P501"],
      401: [],
      404: ["P412", "P427"],
    },
  },
  {
    section: "4.7",
    name: "Get All User Cards",
    operationId: "listUserCards",
    method: "get",
    path: "/v1/card/all/{externalUserId}",
    address: "base_url",
    pathParameters: { externalUserId: "externalUserId" },
    deprecated: true,
    success: { 200: "cards" },
    failures: { 400: ["P459", "P461", "P500", "P501"], 401: [] },
  },
  {
    section: "4.8",
    name: "Get Crypto Deposit Details",
    operationId: "getCryptoDepositDetails",
    method: "get",
    path: "/v1/crypto-deposit/details",
    address: "deposit_base_url",
    queryParameters: { externalId: "uuid" },
    success: { 200: "deposit" },
    failures: { 401: [], 404: [] },
  },
];

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

/** How often the specification says "not shown". */
export const notShown = 23;
