/** Which records and events can be of a payment. */
import { compareDecimals } from "../decimal.ts";
import { type Edition, isIn, type Operation } from "../operation.ts";
import type { Results } from "../statuses.ts";
import type { Values } from "./protocol.ts";

/** Maps members of a record or an event, as paths such as `currency/currency`, to the request members with the same values. */
export type CopiedMembers = Readonly<Record<string, string>>;

/** Members that are equal to members of the request, and amounts that can be larger because fees are added. */
interface Comparison {
  readonly same: CopiedMembers;
  readonly atLeast: CopiedMembers;
}

export interface RecordSource extends Comparison {
  readonly operation: Operation;
  /** The request member that names the user of the history; absent for the history of the partner. */
  readonly of?: string;
  readonly type?: string;
  readonly sign: 1 | -1;
}

/** How to look up the payments of an operation: a row of the generated table. */
export interface Lookup {
  readonly operation: Operation;
  /** The response member with the identifier of the created resource. */
  readonly created: string;
  readonly records: readonly RecordSource[];
  /** The webhook that reports the payment; `id` is its member with the identifier. */
  readonly webhook: Comparison & { readonly name: string; readonly id: string };
  readonly details?: { readonly operation: Operation; readonly id: string };
  /** The final statuses of events and details, and of records. */
  readonly ends: Results;
  readonly recordEnds: Results;
  /** The statuses of events and details that the contract lists and that are not final. */
  readonly open: readonly string[];
}

export interface Source extends RecordSource {
  /** The side of the payment. */
  readonly column: "debit" | "credit";
  /** Null for the history of the partner. */
  readonly user: string | null;
}

export function sourcesOf({ records }: Lookup, body: Values, edition: Edition): Source[] {
  return records.flatMap((record): Source[] => {
    const user = record.of === undefined ? null : body[record.of];
    if (!isIn(edition, record.operation) || user === undefined) return [];
    return [{ ...record, column: record.sign === -1 ? "debit" : "credit", user: user as string | null }];
  });
}

/** Payments with an equal key are those that a record could be of. A key is only an index: the members are compared too. */
export function recordKeyOf({ type, user, same }: Source, body: Values): string {
  const values = Object.entries(same).map(([path, member]) => plain(body[member], path));
  return toKey([type, user, ...values]);
}

/** The key of the event of a payment, from its request or from the event; null when the event lacks a member. */
export function eventKeyOf({ webhook }: Lookup, from: Values, isRequest: boolean): string | null {
  const values: (string | null)[] = [];
  for (const [path, member] of Object.entries(webhook.same)) {
    if (isOptional(path)) continue;
    const value = plain(isRequest ? from[member] : memberAt(from, path), path);
    if (value === null && !isRequest) return null;
    values.push(value);
  }
  return toKey([webhook.name, ...values]);
}

/** Cut, because an index of Postgres takes 2,700 bytes. */
const toKey = (values: readonly unknown[]): string => JSON.stringify(values).slice(0, 600);

/** An event need not have its users and its account. */
const isOptional = (path: string): boolean => isIban(path) || /externalUserId$/i.test(path);

/** `unsure`: nothing disagrees, but a member is missing, or an amount is more than twice that of the request. */
export type Agreement = "no" | "unsure" | "yes";

/** Whether a record is of the type and on the side of a source, and agrees with the request. */
export function matchesRecord(source: RecordSource, body: Values, record: Values): Agreement {
  if (typeof record !== "object" || record === null) return "no";
  const { type, id } = record;
  if (source.type !== undefined && typeof type === "string" && type !== source.type) return "no";
  const amount = plainAmount(record.amount);
  if (amount !== undefined && source.sign !== (amount.startsWith("-") ? -1 : 1)) return "no";
  const agreement = agrees(source, body, record);
  const isComplete = typeof id === "string" && (source.type === undefined || type === source.type);
  return agreement === "yes" && !isComplete ? "unsure" : agreement;
}

/**
 * Whether a record that does not match may be of the payment all the same: the service can write another type, title or amount than those
 * of the request, but not another side or currency.
 */
export function isSimilar({ sign, same }: RecordSource, body: Values, record: Values): boolean {
  if (typeof record !== "object" || record === null) return false;
  const amount = plainAmount(record.amount);
  if (amount !== undefined && sign !== (amount.startsWith("-") ? -1 : 1)) return false;
  return Object.entries(same).every(([path, member]) => {
    const theirs = isCurrency(path) ? plain(memberAt(record, path), path) : null;
    return theirs === null || theirs === plain(body[member], path);
  });
}

const isAmount = (path: string): boolean => /(^|\/)amount[^/]*$/.test(path);
const isCurrency = (path: string): boolean => /(^|\/)currency[^/]*$/.test(path);
export const isIban = (path: string): boolean => /iban$/i.test(path);

/** Compares the members that both have. A user or an account that is named must be the payment's; an event without it can be of any. */
export function agrees({ same, atLeast }: Comparison, body: Values, shown: Values): Agreement {
  let agreement: Agreement = "yes";
  for (const [path, member] of Object.entries({ ...same, ...atLeast })) {
    const [theirs, ours] = [plain(memberAt(shown, path), path), plain(body[member], path)];
    // The account number is removed from the stored request when it is not sent any more.
    if (ours === null && isIban(path)) continue;
    const isLarger = path in atLeast && theirs !== null && ours !== null && compareDecimals(theirs, ours) > 0;
    if (theirs !== null && theirs !== ours && !isLarger) return "no";
    const isUnsure = theirs === null ? !isOptional(path) : isLarger && Number(theirs) > maxWithFees * Number(ours);
    if (isUnsure) agreement = "unsure";
  }
  return agreement;
}

/** How many times the amount of a payment an amount with fees is assumed to be at most. */
const maxWithFees = 2;

function memberAt(shown: Values, path: string): unknown {
  let value: unknown = shown;
  for (const name of path.split("/")) value = (value as Values | null | undefined)?.[name];
  return value;
}

/** A value for comparison: amounts without sign and redundant zeros, currencies in lower case, accounts without spaces. */
function plain(value: unknown, path: string): string | null {
  if (value === undefined || value === null) return null;
  if (isAmount(path)) return plainAmount(value)?.replace("-", "") ?? null;
  if (isIban(path)) return String(value).replace(/\s/g, "").toUpperCase();
  const text = String(value).trim();
  return isCurrency(path) ? text.toLowerCase() : text;
}

/** A decimal number without redundant zeros; undefined for anything else. */
export function plainAmount(value: unknown): string | undefined {
  // Only small numbers are printed with an exponent here: amounts do not reach 1e21.
  const text = Number.isFinite(value) ? String(value).replace(/.*e-.*/, () => (value as number).toFixed(20)) : value;
  if (typeof text !== "string") return undefined;
  const [, sign = "", integer = "", fraction = ""] = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (integer === "") return undefined;
  return `${sign}${integer}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Milliseconds since 1970; NaN for a time without a zone, which could be any of 26 hours. */
export function timeOf({ createdAt }: Values): number {
  const isZoned = typeof createdAt === "string" && /(Z|[+-]\d\d:?\d\d)$/i.test(createdAt);
  return isZoned ? Date.parse(createdAt) : Number.NaN;
}

const zoneMs = 14 * 3_600_000;

/** Every month, such as `2026-03`, in which a record made between two times can stand, whatever the zone of the history. */
export function monthsBetween(from: number, to: number): string[] {
  const months: string[] = [];
  const last = monthOf(to + zoneMs);
  for (let at = from - zoneMs; monthOf(at) <= last; at = nextMonth(at)) months.push(monthOf(at));
  return months;
}

function nextMonth(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);
