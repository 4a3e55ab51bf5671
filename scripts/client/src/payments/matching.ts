import { type Edition, isInEdition, type Operation } from "../base/operation.ts";
import { compareDecimals } from "../exact/decimal.ts";
import type { Results } from "../helpers/statuses.ts";
import type { Values } from "./protocol.ts";

/** What a compared member contains, according to the schemas of the contract. */
type MemberKind = "amount" | "currency" | "iban" | "user" | "text";

/**
 * A member of a record or an event, by a path such as `currency/currency`, and the member of the request with which it is compared.
 * `mayExceed`: the amount can be larger than in the request, because fees are added. A tuple, since it makes the package smaller.
 */
export type ComparedMember = readonly [path: string, requestMember: string, kind: MemberKind, mayExceed?: true];

export interface RecordSource {
  readonly operation: Operation;
  /** The request member that contains the user of the history; absent for the partner's history. */
  readonly of?: string;
  readonly type: string;
  readonly sign: 1 | -1;
  readonly compared: readonly ComparedMember[];
}

/** How to look up the payments of an operation; generated from `x-lookup` and the lifecycles. */
export interface Lookup {
  readonly operation: Operation;
  /** The response member that contains the identifier of the created resource. */
  readonly created: string;
  readonly records: readonly RecordSource[];
  /** The webhook that reports the payment; `id` is the member that contains the identifier. */
  readonly webhook: { readonly name: string; readonly id: string; readonly compared: readonly ComparedMember[] };
  readonly details: { readonly operation: Operation; readonly id: string };
  /** The final statuses of events and details. */
  readonly ends: Results;
  /** The final statuses of records. */
  readonly recordEnds: Results;
  /** The statuses of events and details that the contract lists and that are not final. */
  readonly open: readonly string[];
}

export interface Source extends RecordSource {
  /** The side of the payment. */
  readonly column: "debit" | "credit";
  /** The user of the history; null for the partner's history. */
  readonly user: string | null;
}

export function sourcesOf({ records }: Lookup, body: Values, edition: Edition): Source[] {
  return records.flatMap((record): Source[] => {
    const user = record.of === undefined ? null : body[record.of];
    if (!isInEdition(edition, record.operation) || user === undefined) return [];
    return [{ ...record, column: record.sign === -1 ? "debit" : "credit", user: user as string | null }];
  });
}

/** The key for finding the payments that a record may belong to. Equal keys do not suffice: the members are compared as well. */
export function recordKeyOf({ type, user, compared }: Source, body: Values): string {
  return toKey([type, user, ...keyMembersOf(compared).map(([, member, kind]) => normalize(body[member], kind))]);
}

/** The key for finding a payment from its event, made from the request. */
export function requestKeyOf({ webhook }: Lookup, body: Values): string {
  return toKey([
    webhook.name,
    ...keyMembersOf(webhook.compared).map(([, member, kind]) => normalize(body[member], kind)),
  ]);
}

/** The same key, made from the event; null when the event lacks a member of the key. */
export function eventKeyOf({ webhook }: Lookup, event: Values): string | null {
  const values = keyMembersOf(webhook.compared).map(([path, , kind]) => normalize(memberAt(event, path), kind));
  return values.includes(null) ? null : toKey([webhook.name, ...values]);
}

const keyMembersOf = (compared: readonly ComparedMember[]): ComparedMember[] =>
  compared.filter(([, , kind, mayExceed]) => !mayExceed && !canBeMissing(kind));

/** A long key is cut, because an index entry of Postgres has at most some 2,700 bytes. */
const toKey = (values: readonly unknown[]): string => JSON.stringify(values).slice(0, 600);

/** Whether a record or an event without the member can still belong to the payment. */
const canBeMissing = (kind: MemberKind): boolean => kind === "iban" || kind === "user";

/**
 * `unsure`: no member differs, but a member is missing (also the `id` or `type` of a record), or an amount is more than twice the amount of
 * the request.
 */
export type Agreement = "no" | "unsure" | "yes";

/** How a record agrees with a payment, by the type and the sign of the source, and the members of the request. */
export function agreementOfRecord(source: RecordSource, body: Values, record: Values): Agreement {
  const { type, id } = record;
  if ((typeof type === "string" && type !== source.type) || hasOtherSign(source, record)) return "no";
  const agreement = agreementWith(source.compared, body, record);
  const isComplete = typeof id === "string" && type === source.type;
  return agreement === "yes" && !isComplete ? "unsure" : agreement;
}

/**
 * Whether a record that does not match may still belong to the payment: neither its sign nor a currency differs. Other members, such as the
 * type, the title and the amount, may differ.
 */
export function isSimilar(source: RecordSource, body: Values, record: Values): boolean {
  return (
    !hasOtherSign(source, record) &&
    source.compared.every(([path, member, kind]) => {
      const recordValue = kind === "currency" ? normalize(memberAt(record, path), kind) : null;
      return recordValue === null || recordValue === normalize(body[member], kind);
    })
  );
}

function hasOtherSign({ sign }: RecordSource, { amount }: Values): boolean {
  const text = normalizeAmount(amount);
  return text !== undefined && sign !== (text.startsWith("-") ? -1 : 1);
}

/** Missing users and IBANs do not count; other missing members give `unsure`. */
export function agreementWith(compared: readonly ComparedMember[], body: Values, values: Values): Agreement {
  let agreement: Agreement = "yes";
  for (const [path, member, kind, mayExceed] of compared) {
    const sentValue = memberAt(values, path);
    const [value, requestValue] = [normalize(sentValue, kind), normalize(body[member], kind)];
    if (value === null) {
      // A user that is null states that there is none.
      if (kind === "user" && sentValue === null && requestValue !== null) return "no";
      if (!canBeMissing(kind)) agreement = "unsure";
      continue;
    }
    // The IBAN is removed from the stored request once the payment can no longer be sent.
    if (value === requestValue || (requestValue === null && kind === "iban")) continue;
    if (requestValue === null || !mayExceed || compareDecimals(value, requestValue) === -1) return "no";
    if (Number(value) > maxRatioWithFees * Number(requestValue)) agreement = "unsure";
  }
  return agreement;
}

/** The largest assumed ratio of an amount with fees to the amount of the payment. */
const maxRatioWithFees = 2;

function memberAt(values: Values, path: string): unknown {
  let member: unknown = values;
  for (const name of path.split("/")) member = (member as Values | null | undefined)?.[name];
  return member;
}

/**
 * Amounts lose their sign and redundant zeros. Currencies become lower case, IBANs upper case without spaces. Other values lose surrounding
 * spaces. Null for a missing value, an object and a malformed amount.
 */
function normalize(value: unknown, kind: MemberKind): string | null {
  if (value === undefined || typeof value === "object") return null;
  if (kind === "amount") return normalizeAmount(value)?.replace("-", "") ?? null;
  if (kind === "iban") return String(value).replace(/\s/g, "").toUpperCase();
  const text = String(value).trim();
  return kind === "currency" ? text.toLowerCase() : text;
}

/** A decimal number without redundant zeros; undefined for anything else. */
export function normalizeAmount(value: unknown): string | undefined {
  // Small numbers are printed with a negative exponent. Positive exponents start at 1e21, which no amount reaches.
  const text = Number.isFinite(value) ? String(value).replace(/.*e-.*/, () => (value as number).toFixed(20)) : value;
  if (typeof text !== "string") return undefined;
  const [, sign = "", integer = "", fraction = ""] = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (integer === "") return undefined;
  return `${sign}${integer}${fraction === "" ? "" : `.${fraction}`}`;
}

/** The time of `createdAt`, in milliseconds since 1970; NaN without a time zone, because zones differ by up to 26 hours. */
export function timeOf({ createdAt }: Values): number {
  const text = String(createdAt);
  return /(Z|[+-]\d\d:?\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
}

const zoneOffsetMs = 14 * 3_600_000;

/** The months, such as `2026-03`, that can contain a record made between two times (milliseconds since 1970), in any time zone. */
export function monthsBetween(startTime: number, endTime: number): string[] {
  const months: string[] = [];
  const lastMonth = monthOf(endTime + zoneOffsetMs);
  for (let time = startTime - zoneOffsetMs; monthOf(time) <= lastMonth; time = nextMonth(time))
    months.push(monthOf(time));
  return months;
}

function nextMonth(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);
