/**
 * The fields that the interface specification states, one row for each line of its tables. The line is quoted; the kind of
 * its values is read from it, and from the conventions where it says less ("currency codes: lowercase in history, lock and
 * webhook payloads").
 */
import type { Kind } from "./kinds.ts";

export interface FieldRow {
  /** The line of the specification, verbatim. */
  quote: string;
  /** The name of the field, unless it is the first cell of the line. */
  name?: string;
  kind: Kind;
  /** The specification says that the field is always there, in these words. */
  always?: string;
  /** The specification says that the field can be absent, in these words. */
  absent?: string;
  /** The field is there once another one has one of these values. */
  once?: { field: string; values: string[] };
  /** The types of the transaction records that have the field; all of them unless given. */
  types?: string[];
  /** What the description of the field tells besides its name. */
  says?: RegExp;
  /** Values that are named. Of `idCardOrPassport` there are no others. */
  values?: string[];
}

/** The name of the field that a line states. */
export function nameOf({ quote, name }: FieldRow): string {
  return name ?? cellsOf(quote)[0] ?? "";
}

/** The cells of a line of a table. */
export function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const carries = "The response carries `userId` and `poaRequiredForExtended`.";

export const user: FieldRow[] = [
  {
    quote: "| userId | string (uuid) | Assigned by the service on creation |",
    kind: "uuid",
    always: carries,
    says: /service (assign|gave|gives|chose)|assigned by the service/i,
  },
  {
    quote: "| poaRequiredForExtended | boolean | true when the user's country requires proof of address |",
    kind: "boolean",
    always: carries,
    says: /country requires.*proof of address/is,
  },
];

const transactionTypes =
  "exchange, atmFee, transfer, cardTransaction, cryptoDeposit, cryptoWithdrawal, atmWithdrawal, fiatDeposit, payment, partialRefund, fiatWithdrawal, transaction (generic fallback)";

/** Sentences that name the values of a field rather than the field. */
export const valueSentences = {
  transactionTypes: `Transaction types: ${transactionTypes}.`,
  moreTypes: "The values sepaDeposit and sepaTransfer also occur in responses.",
  cardStatus: "States seen: ACTIVE, DELETED.",
  depositSeen: "The value successful is seen.",
  depositNamed: "The record text names SENT and SUCCESSFUL as the states at which `transactionHash` is populated.",
};

/** Values of a status with their meaning, as the table of the specification gives them. */
export const transactionStatuses: string[] = [
  "| SUCCESSFUL | completed successfully |",
  "| UNSUCCESSFUL | failed |",
  "| IN_PROGRESS | being processed |",
  "| IN_PROGRESS_TR_DATA | waiting for travel rule data to be entered (an Update Travel Rule operation exists under Crypto Deposits) |",
];

export const transaction: FieldRow[] = [
  { quote: "| id | string (uuid) | always present |", kind: "uuid", always: "always present" },
  {
    quote: "| createdAt | string, ISO 8601 UTC with milliseconds | always present |",
    kind: "utcWithMilliseconds",
    always: "always present",
  },
  {
    quote: "| type | string | see type table |",
    kind: "openSet",
    values: [...transactionTypes.split(", ").map((type) => type.replace(/ \(.*/, "")), "sepaDeposit", "sepaTransfer"],
  },
  {
    quote: "| amount | number | signed; negative for outgoing, positive for incoming |",
    kind: "signedNumber",
    says: /negative for outgoing.*positive for incoming/is,
  },
  { quote: "| currency | string | currency of `amount` |", kind: "lowercaseCode", says: /currency of `amount`/i },
  {
    quote: "| status | string | see Transaction status |",
    kind: "openSet",
    values: transactionStatuses.map((row) => cellsOf(row)[0] ?? ""),
  },
  {
    quote: "| amountFrom | number | exchange records; negative, the debited amount |",
    kind: "negativeNumber",
    types: ["exchange"],
    says: /debited amount/i,
  },
  {
    quote: "| currencyFrom | string | exchange records; the debited currency |",
    kind: "lowercaseCode",
    types: ["exchange"],
    says: /debited currency/i,
  },
  {
    quote: "| exchangeId | string (uuid) | present on some exchange records |",
    kind: "uuid",
    types: ["exchange"],
    says: /present (on|in) some/i,
  },
  {
    quote: "| btId | string (uuid) | present on completed records in some responses, absent on in-progress deposits |",
    kind: "uuid",
    says: /present on completed records in some (responses|answers), absent on in-progress deposits/i,
  },
  { quote: "| transferTitle | string | SEPA records |", kind: "string", types: ["sepaDeposit", "sepaTransfer"] },
  {
    quote: "| transferId | string (uuid) | sepaTransfer records in some responses |",
    kind: "uuid",
    types: ["sepaTransfer"],
    says: /in some/i,
  },
  { quote: "| sourceAccountNumber | string | sepaDeposit records |", kind: "string", types: ["sepaDeposit"] },
  {
    quote: "| issuer | string | sepaDeposit records in some responses |",
    kind: "string",
    types: ["sepaDeposit"],
    says: /in some/i,
  },
];

export const card: FieldRow[] = [
  { quote: "| id | string (uuid) | card identifier |", kind: "uuid", says: /card/i },
  { quote: "| status | string | ACTIVE or DELETED seen |", kind: "openSet", values: ["ACTIVE", "DELETED"] },
  {
    quote: "| label | string | user-visible label |",
    kind: "string",
    says: /user[- ](visible|sees|can see)|visible to the user/i,
  },
  {
    quote: "| cardLastDigits | string | last four digits of the card number |",
    kind: "lastFourDigits",
    says: /last four digits of the card number/i,
  },
  {
    quote: "| createdAt | string | ISO 8601 with numeric UTC offset, no milliseconds |",
    kind: "offsetWithoutMilliseconds",
  },
];

export const lock: FieldRow[] = [
  {
    quote: "| lockId | string (uuid) | used later to place an order; valid for a limited time |",
    kind: "uuid",
    says: /place an order.*limited time/is,
  },
  { quote: "| rate | number | locked rate |", kind: "number", says: /locked rate/i },
  {
    quote: "| amount | number | cryptocurrency amount the user receives at the locked rate |",
    kind: "number",
    says: /user receives at the locked rate/i,
  },
  { quote: "| expiresAt | string | ISO 8601 UTC timestamp without milliseconds |", kind: "utcWithoutMilliseconds" },
  { quote: "| cryptocurrency | string | code |", kind: "lowercaseCode", says: /code/i },
  { quote: "| network | string | network name |", kind: "string", says: /name/i },
];

export const deposit: FieldRow[] = [
  { quote: "| externalId | string (uuid) | identifier used to look the record up |", kind: "uuid", says: /look/i },
  { quote: "| status | string | see States |", kind: "openSet", values: ["SENT", "SUCCESSFUL", "successful"] },
  { quote: "| amount | string | decimal |", kind: "decimal" },
  { quote: "| currency | string | code, uppercase |", kind: "uppercaseCode" },
  { quote: "| from | string | sender address |", kind: "string", says: /sender.*address|address.*sender/i },
  { quote: "| fee | string | decimal |", kind: "decimal" },
  {
    quote: "| transactionHash | string | populated once status reaches SENT or SUCCESSFUL |",
    kind: "string",
    once: { field: "status", values: ["SENT", "SUCCESSFUL"] },
    says: /SENT or SUCCESSFUL/,
  },
  { quote: "| createdAt | string | ISO 8601 UTC with milliseconds |", kind: "utcWithMilliseconds" },
  {
    quote:
      "| user | object or null | included for consistency; always null in partner responses; absent from the sample body |",
    kind: "objectOrNull",
    absent: "absent from the sample body",
    says: /null in (partner responses|responses to partners|answers to partners|partner answers)/i,
  },
];

export const transferEvent: FieldRow[] = [
  { quote: "| id | string (uuid) | transfer identifier |", kind: "uuid", says: /transfer/i },
  { quote: "| sourceExternalUserId | string | sender user |", kind: "externalUserId", says: /send/i },
  {
    quote: "| destinationExternalUserId | string or null | null when there is no destination user |",
    kind: "stringOrNull",
    says: /destination user.*null when there is none|null when there is no destination user/is,
  },
  { quote: "| amount | string | decimal |", kind: "decimal" },
  { quote: "| currency | string | code, lowercase |", kind: "lowercaseCode" },
  { quote: "| status | string | SUCCESSFUL or a failure value |", kind: "openSet", values: ["SUCCESSFUL"] },
  { quote: "| createdAt | string | ISO 8601 UTC with milliseconds |", kind: "utcWithMilliseconds" },
];
