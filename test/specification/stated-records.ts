/**
 * The fields of the records that the interface specification states in tables, one row for each line, with a quote of it. The kind of the
 * values follows from the line and from the conventions ("currency codes: lowercase in history, lock and webhook payloads").
 */
import type { Kind } from "./kinds.ts";

export interface FieldRow {
  quote: string;
  /** The name of the field. Default: the first cell of the line. */
  name?: string;
  kind: Kind;
  /** The words of the specification that say that the field is always present; undefined if it does not say so. */
  alwaysPresentQuote?: string;
  /** The words of the specification that show that the field can be absent; undefined if it does not show that. */
  mayBeAbsentQuote?: string;
  /** The field is present if another field has one of these values. */
  presentIf?: { field: string; values: string[] };
  /** The transaction types whose records have the field. Default: all types. */
  types?: string[];
  /** One of the field's descriptions must match this pattern. Default: any description. */
  descriptionPattern?: RegExp;
  /** The values that the specification names. The kind `idCardOrPassport` permits no other values. */
  values?: string[];
}

export function nameOf({ quote, name }: FieldRow): string {
  return name ?? cellsOf(quote)[0] ?? "";
}

export function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

export function field(quote: string, kind: Kind, otherMembers: Partial<FieldRow> = {}): FieldRow {
  return { quote, kind, ...otherMembers };
}

const userResponseSentence = "The response carries `userId` and `poaRequiredForExtended`.";

export const user: FieldRow[] = [
  field("| userId | string (uuid) | Assigned by the service on creation |", "uuid", {
    alwaysPresentQuote: userResponseSentence,
    descriptionPattern: /service (assign|gave|gives|chose)|assigned by the service/i,
  }),
  field("| poaRequiredForExtended | boolean | true when the user's country requires proof of address |", "boolean", {
    alwaysPresentQuote: userResponseSentence,
    descriptionPattern: /country requires.*proof of address/is,
  }),
];

const transactionTypes =
  "exchange, atmFee, transfer, cardTransaction, cryptoDeposit, cryptoWithdrawal, atmWithdrawal, fiatDeposit, payment, partialRefund, fiatWithdrawal, transaction (generic fallback)";

export const valueSentences = {
  transactionTypes: `Transaction types: ${transactionTypes}.`,
  moreTypes: "The values sepaDeposit and sepaTransfer also occur in responses.",
  cardStatus: "States seen: ACTIVE, DELETED.",
  depositSeen: "The value successful is seen.",
  depositNamed: "The record text names SENT and SUCCESSFUL as the states at which `transactionHash` is populated.",
};

export const transactionStatuses: string[] = [
  "| SUCCESSFUL | completed successfully |",
  "| UNSUCCESSFUL | failed |",
  "| IN_PROGRESS | being processed |",
  "| IN_PROGRESS_TR_DATA | waiting for travel rule data to be entered (an Update Travel Rule operation exists under Crypto Deposits) |",
];

export const transaction: FieldRow[] = [
  field("| id | string (uuid) | always present |", "uuid", { alwaysPresentQuote: "always present" }),
  field("| createdAt | string, ISO 8601 UTC with milliseconds | always present |", "utcWithMilliseconds", {
    alwaysPresentQuote: "always present",
  }),
  field("| type | string | see type table |", "openSet", {
    values: [...transactionTypes.split(", ").map((type) => type.replace(/ \(.*/, "")), "sepaDeposit", "sepaTransfer"],
  }),
  field("| amount | number | signed; negative for outgoing, positive for incoming |", "signedNumber", {
    descriptionPattern: /negative for outgoing.*positive for incoming/is,
  }),
  field("| currency | string | currency of `amount` |", "lowercaseCode", {
    descriptionPattern: /currency of `amount`/i,
  }),
  field("| status | string | see Transaction status |", "openSet", {
    values: transactionStatuses.map((row) => cellsOf(row)[0] ?? ""),
  }),
  field("| amountFrom | number | exchange records; negative, the debited amount |", "negativeNumber", {
    types: ["exchange"],
    descriptionPattern: /debited amount/i,
  }),
  field("| currencyFrom | string | exchange records; the debited currency |", "lowercaseCode", {
    types: ["exchange"],
    descriptionPattern: /debited currency/i,
  }),
  field("| exchangeId | string (uuid) | present on some exchange records |", "uuid", {
    types: ["exchange"],
    descriptionPattern: /present (on|in) some/i,
  }),
  field(
    "| btId | string (uuid) | present on completed records in some responses, absent on in-progress deposits |",
    "uuid",
    { descriptionPattern: /present on completed records in some (responses|answers), absent on in-progress deposits/i },
  ),
  field("| transferTitle | string | SEPA records |", "string", { types: ["sepaDeposit", "sepaTransfer"] }),
  field("| transferId | string (uuid) | sepaTransfer records in some responses |", "uuid", {
    types: ["sepaTransfer"],
    descriptionPattern: /in some/i,
  }),
  field("| sourceAccountNumber | string | sepaDeposit records |", "string", { types: ["sepaDeposit"] }),
  field("| issuer | string | sepaDeposit records in some responses |", "string", {
    types: ["sepaDeposit"],
    descriptionPattern: /in some/i,
  }),
];

export const card: FieldRow[] = [
  field("| id | string (uuid) | card identifier |", "uuid", { descriptionPattern: /card/i }),
  field("| status | string | ACTIVE or DELETED seen |", "openSet", { values: ["ACTIVE", "DELETED"] }),
  field("| label | string | user-visible label |", "string", {
    descriptionPattern: /user[- ](visible|sees|can see)|visible to the user/i,
  }),
  field("| cardLastDigits | string | last four digits of the card number |", "lastFourDigits", {
    descriptionPattern: /last four digits of the card number/i,
  }),
  field("| createdAt | string | ISO 8601 with numeric UTC offset, no milliseconds |", "offsetWithoutMilliseconds"),
];

export const lock: FieldRow[] = [
  field("| lockId | string (uuid) | used later to place an order; valid for a limited time |", "uuid", {
    descriptionPattern: /place an order.*limited time/is,
  }),
  field("| rate | number | locked rate |", "number", { descriptionPattern: /locked rate/i }),
  field("| amount | number | cryptocurrency amount the user receives at the locked rate |", "number", {
    descriptionPattern: /user receives at the locked rate/i,
  }),
  field("| expiresAt | string | ISO 8601 UTC timestamp without milliseconds |", "utcWithoutMilliseconds"),
  field("| cryptocurrency | string | code |", "lowercaseCode", { descriptionPattern: /code/i }),
  field("| network | string | network name |", "string", { descriptionPattern: /name/i }),
];

export const deposit: FieldRow[] = [
  field("| externalId | string (uuid) | identifier used to look the record up |", "uuid", {
    descriptionPattern: /look/i,
  }),
  field("| status | string | see States |", "openSet", { values: ["SENT", "SUCCESSFUL", "successful"] }),
  field("| amount | string | decimal |", "decimal"),
  field("| currency | string | code, uppercase |", "uppercaseCode"),
  field("| from | string | sender address |", "string", { descriptionPattern: /sender.*address|address.*sender/i }),
  field("| fee | string | decimal |", "decimal"),
  field("| transactionHash | string | populated once status reaches SENT or SUCCESSFUL |", "string", {
    presentIf: { field: "status", values: ["SENT", "SUCCESSFUL"] },
    descriptionPattern: /SENT or SUCCESSFUL/,
  }),
  field("| createdAt | string | ISO 8601 UTC with milliseconds |", "utcWithMilliseconds"),
  field(
    "| user | object or null | included for consistency; always null in partner responses; absent from the sample body |",
    "objectOrNull",
    {
      mayBeAbsentQuote: "absent from the sample body",
      descriptionPattern: /null in (partner responses|responses to partners|answers to partners|partner answers)/i,
    },
  ),
];

export const transferEvent: FieldRow[] = [
  field("| id | string (uuid) | transfer identifier |", "uuid", { descriptionPattern: /transfer/i }),
  field("| sourceExternalUserId | string | sender user |", "externalUserId", { descriptionPattern: /send/i }),
  field("| destinationExternalUserId | string or null | null when there is no destination user |", "stringOrNull", {
    descriptionPattern: /destination user.*null when there is none|null when there is no destination user/is,
  }),
  field("| amount | string | decimal |", "decimal"),
  field("| currency | string | code, lowercase |", "lowercaseCode"),
  field("| status | string | SUCCESSFUL or a failure value |", "openSet", { values: ["SUCCESSFUL"] }),
  field("| createdAt | string | ISO 8601 UTC with milliseconds |", "utcWithMilliseconds"),
];
