/**
 * The operations that the interface specification states, typed by hand from the document and from nothing else. They are
 * the oracle that the contract is compared with: when the two disagree, one of them was read wrongly.
 */
import type { Kind } from "./kinds.ts";

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
  /** What the answer to a request that succeeds holds, by status: a record of `records`, a list of records, or a P-code. */
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
