/**
 * Sections 4.1 to 4.9 of the interface specification, copied by hand. Functions parse the lines `heading`, `call` and `errors`; all other
 * data is typed by hand.
 */
import type { Kind } from "./kinds.ts";
import { card, deposit, type FieldRow, field, lock, transaction, transferEvent, user } from "./stated-records.ts";

export type StatedResponse = { quote: string; status: number } & (
  | { record: FieldRow[] }
  | { array: FieldRow[] }
  | { code: string }
);

export interface OperationRows {
  operationId: string;
  heading: string;
  call: string;
  isObsolete?: true;
  parameters?: { quote: string; in: "path" | "query"; name: string; kind: Kind; descriptionPattern?: RegExp }[];
  body?: { quote: string; mediaType: string; fields: FieldRow[] };
  success: StatedResponse[];
  errors: string;
}

/** P-codes by status, from a line such as `Errors: 401; 404 P412; 400 P435, P459.` */
export function failuresOf({ errors }: OperationRows): Map<string, string[]> {
  const responses = errors.replace("Errors: ", "").split("; ");
  return new Map(responses.map((response) => [response.slice(0, 3), response.match(/P\d{3}/g) ?? []]));
}

/** The method (in lower case), the placeholder of the address and the path, from a line such as `POST {base_url}/v1/order/lock-rate`. */
export function callOf({ call }: OperationRows): { method: string; address: string; path: string } {
  const [, method = "", address = "", path = ""] = /^`([A-Z]+) \{(\w+)\}([^`]+)`$/.exec(call) ?? [];
  return { method: method.toLowerCase(), address, path };
}

/** Section and name, from a heading such as `### 4.7 Get All User Cards (marked obsolete)`. */
export function titleOf(heading: string): { section: string; name: string } {
  const [, section = "", name = ""] = /^### (\S+) (.*?)(?: \(.*\))?$/.exec(heading) ?? [];
  return { section, name };
}

/** A field that the specification states in a sentence instead of a table. */
const namedField = (name: string, quote: string, kind: Kind, descriptionPattern?: RegExp): FieldRow => ({
  ...field(quote, kind, descriptionPattern && { descriptionPattern }),
  name,
});

export const message: FieldRow[] = [namedField("message", "`{message: string}`", "string")];

const attributes: FieldRow[] = [
  field("| email | string, e-mail address |", "email", { descriptionPattern: /e-?mail/i }),
  field("| phone | string of digits including country code |", "digits", {
    descriptionPattern: /digits.*country code/is,
  }),
  field("| firstName | string |", "string"),
  field("| lastName | string |", "string"),
  field("| street | string |", "string"),
  field("| number | string (house number) |", "string", { descriptionPattern: /house number/i }),
  field("| city | string |", "string"),
  field("| postCode | string |", "string"),
  field("| country | string, two-letter country code |", "countryCode"),
  field("| citizenship | string, two-letter country code |", "countryCode"),
  field("| nationality | string, two-letter country code |", "countryCode"),
  field("| birthCountry | string, two-letter country code |", "countryCode"),
  field("| birthDate | string, date `YYYY-MM-DD` |", "date", { descriptionPattern: /YYYY-MM-DD/ }),
];

const userInPath = (quote: string) => ({ quote, in: "path", name: "externalUserId", kind: "externalUserId" }) as const;

export const operations: OperationRows[] = [
  {
    operationId: "createUserAccount",
    heading: "### 4.1 Create User Account",
    call: "`POST {base_url}/v1/user/balances/crypto-and-fiat`",
    body: {
      quote: "Request body (JSON):",
      mediaType: "application/json",
      fields: [
        field("| externalUserId | string, unique per user |", "externalUserId", { descriptionPattern: /unique/i }),
        ...attributes,
      ],
    },
    success: [
      { quote: "Response 201: `{userId: string uuid, poaRequiredForExtended: boolean}`.", status: 201, record: user },
    ],
    errors: "Errors: 401; 400 with P403, P411, P431, P464, P465, P500, P501.",
  },
  {
    operationId: "getUserTransactionHistory",
    heading: "### 4.2 Get User Transaction History",
    call: "`GET {base_url}/v1/user/transaction-history/{externalUserId}/{month}/{year}`",
    parameters: [
      userInPath("Path parameters: `externalUserId` string;"),
      {
        quote: "`month` two-digit month (for example 02);",
        in: "path",
        name: "month",
        kind: "twoDigitMonth",
        descriptionPattern: /two[ -]digit/,
      },
      {
        quote: "`year` four-digit year.",
        in: "path",
        name: "year",
        kind: "fourDigitYear",
        descriptionPattern: /four[ -]digit/,
      },
    ],
    success: [{ quote: "Response 200: JSON array of transaction records.", status: 200, array: transaction }],
    errors: "Errors: 401; 404 P412; 400 P435, P459, P500, P501.",
  },
  {
    operationId: "createOrderRateLock",
    heading: "### 4.3 Retrieve Order Rate and Create a Lock",
    call: "`POST {base_url}/v1/order/lock-rate`",
    body: {
      quote:
        "Request body (JSON): `currency` string (cryptocurrency code); `amount` string (decimal fiat amount); `network` string (network name).",
      mediaType: "application/json",
      fields: [
        namedField("currency", "`currency` string (cryptocurrency code);", "code", /cryptocurrency/i),
        namedField("amount", "`amount` string (decimal fiat amount);", "decimal", /fiat/i),
        namedField("network", "`network` string (network name).", "string", /name/i),
      ],
    },
    success: [{ quote: "Response 201: rate lock record.", status: 201, record: lock }],
    errors: "Errors: 401; 400 P403, P500, P501.",
  },
  {
    operationId: "updateUser",
    heading: "### 4.4 Update Existing User",
    call: "`PATCH {base_url}/v1/user/{externalUserId}`",
    parameters: [userInPath("Path: `externalUserId` string.")],
    body: {
      quote: "Body (JSON): any subset of the user attributes, such as email, phone and address fields.",
      mediaType: "application/json",
      fields: attributes,
    },
    success: [{ quote: "Response 200: `{message: string}`.", status: 200, record: message }],
    errors: "Errors: 401; 400 P403, P452, P464, P465, P500, P501; 404 P412.",
  },
  {
    operationId: "addKycFiles",
    heading: "### 4.5 Add KYC File",
    call: "`POST {base_url}/v1/user/kyc-files/{externalUserId}`",
    parameters: [userInPath("`POST {base_url}/v1/user/kyc-files/{externalUserId}`")],
    body: {
      quote: "Body: `multipart/form-data` with file parts `front_id`, `back_id`, `selfie`.",
      mediaType: "multipart/form-data",
      fields: ["front_id", "back_id", "selfie"].map((name) =>
        namedField(name, "file parts `front_id`, `back_id`, `selfie`", "file"),
      ),
    },
    success: [{ quote: "Response 201: `{message: string}`.", status: 201, record: message }],
    errors: "Errors: 401; 404 P412; 400 P426, P439, P440, P500, P501.",
  },
  {
    operationId: "addUserVerification",
    heading: "### 4.6 Add User Verification",
    call: "`POST {base_url}/v1/user/verification`",
    body: {
      quote: "Request body (JSON):",
      mediaType: "application/json",
      fields: [
        field("| externalUserId | string |", "externalUserId"),
        field("| documentType | string: ID_CARD or PASSPORT |", "idCardOrPassport", {
          values: ["ID_CARD", "PASSPORT"],
        }),
        field("| documentNumber | string |", "string"),
        field("| documentExpirationDate | string, date `YYYY-MM-DD` |", "date", { descriptionPattern: /YYYY-MM-DD/ }),
        field("| openAccountReason | string (DAILY_USE seen) |", "openSet", { values: ["DAILY_USE"] }),
        field("| incomeSource | string (SALARY seen) |", "openSet", { values: ["SALARY"] }),
        field("| occupation | string (IT seen) |", "openSet", { values: ["IT"] }),
      ],
    },
    success: [
      { quote: "Responses: 201 `{message: string}`;", status: 201, record: message },
      { quote: "202 with code P213 (additional risk verification).", status: 202, code: "P213" },
    ],
    errors: "Errors: 401; 400 P403, P430, P442, P446, P466, P473, P474, P475, P500, P501; 404 P412, P427.",
  },
  {
    operationId: "listUserCards",
    heading: "### 4.7 Get All User Cards (marked obsolete)",
    call: "`GET {base_url}/v1/card/all/{externalUserId}`",
    isObsolete: true,
    parameters: [userInPath("`GET {base_url}/v1/card/all/{externalUserId}`")],
    success: [
      {
        quote: "Response 200: JSON array of card summaries (active and deleted cards are both listed).",
        status: 200,
        array: card,
      },
    ],
    errors: "Errors: 401; 400 P459, P461, P500, P501.",
  },
  {
    operationId: "getCryptoDepositDetails",
    heading: "### 4.8 Get Crypto Deposit Details",
    call: "`GET {deposit_base_url}/v1/crypto-deposit/details`",
    parameters: [
      { quote: "Query parameter: `externalId` (string uuid).", in: "query", name: "externalId", kind: "uuid" },
    ],
    success: [{ quote: "Response 200: crypto deposit record.", status: 200, record: deposit }],
    errors: "Errors: 401; 404 with message Transaction not found and no P-code.",
  },
];

export const webhook = {
  key: "p2pTransfer",
  heading: "### 4.9 Transfer webhook (partner side)",
  call: "`POST /transfer-webhook` on the partner's server.",
  path: "/transfer-webhook",
  body: { quote: "Body: transfer event record.", fields: transferEvent },
  response: { quote: "The partner answers 200 with a JSON object (an empty object in the sample).", status: 200 },
};
