import { hexDigest } from "../bytes.ts";
import { compareDecimals } from "../decimal.ts";
import { exactNumbers } from "../exact-numbers.ts";
import { type Edition, isIn, type Operation } from "../operation.ts";
import type { StoredPayment } from "./store.ts";

/** Maps members of a record or an event, as paths such as `currency/currency`, to the request members with the same values. */
export type CopiedMembers = Readonly<Record<string, string>>;

export interface RecordSource {
  readonly operation: Operation;
  /** The request member that names the user of the history; absent for the history of the partner. */
  readonly of?: string;
  readonly type?: string;
  readonly sign: 1 | -1;
  readonly same: CopiedMembers;
  readonly atLeast: CopiedMembers;
}

/** How to look up the payments of an operation: a row of the generated table. */
export interface Lookup {
  readonly operation: Operation;
  /** The response member with the identifier of the created resource. */
  readonly created: string;
  readonly records: readonly RecordSource[];
  /** The webhook that reports the payment; `id` is its member with the identifier. */
  readonly webhook: { readonly name: string; readonly id: string; readonly same: CopiedMembers };
  readonly details?: { readonly operation: Operation; readonly id: string };
  /** The final statuses, and whether each is a success. */
  readonly ends: Readonly<Record<string, boolean>>;
}

export type Body = Readonly<Record<string, unknown>>;

export type ReceivedRecord = Readonly<Record<string, unknown>>;

export interface Source extends RecordSource {
  /** The column of the store with the payment's key for this history. */
  readonly column: "debit" | "credit";
  /** Undefined for the history of the partner. */
  readonly user: string | undefined;
}

export function sourcesOf({ records }: Lookup, body: Body, edition: Edition): Source[] {
  return records.flatMap((record): Source[] => {
    const user = record.of === undefined ? undefined : body[record.of];
    if (!isIn(edition, record.operation) || (record.of !== undefined && user === undefined)) return [];
    return [{ ...record, column: record.sign === -1 ? "debit" : "credit", user: user as string | undefined }];
  });
}

/**
 * The keys of a payment. Payments have an equal key if their records or their events cannot be distinguished; of these payments, only one
 * at a time may be in progress.
 */
export async function keysOf(lookup: Lookup, body: Body): Promise<Pick<StoredPayment, "debit" | "credit" | "event">> {
  const keys: { debit: string | null; credit: string | null; event: string | null } = {
    debit: null,
    credit: null,
    event: await eventKey(lookup, (path, member) => plain(body[member], path)),
  };
  // The keys do not depend on the edition, because a store can contain payments of both editions.
  for (const { column, type, user, same } of sourcesOf(lookup, body, "test")) {
    const members = Object.entries(same).map(([path, member]) => plain(body[member], path));
    keys[column] = await digest([type, user, ...members]);
  }
  return keys;
}

export async function keyOfEvent(lookup: Lookup, event: ReceivedRecord): Promise<string | undefined> {
  const { same } = lookup.webhook;
  // The external user ids are optional in the request, so they are optional in the event too.
  const needed = Object.entries(same).filter(([, member]) => !/ExternalUserId$|^externalUserId$/.test(member));
  if (needed.some(([path]) => plain(memberAt(event, path), path) === null)) return undefined;
  return eventKey(lookup, (path) => plain(memberAt(event, path), path));
}

function eventKey(
  { webhook: { name, same } }: Lookup,
  valueAt: (path: string, member: string) => string | null,
): Promise<string> {
  return digest([name, ...Object.entries(same).map(([path, member]) => valueAt(path, member))]);
}

export function matchesPayment(source: RecordSource, body: Body, record: ReceivedRecord): boolean {
  const { type, sign, same, atLeast } = source;
  if (type !== undefined && record.type !== type) return false;
  const amount = plainAmount(record.amount);
  if (amount !== undefined && sign !== (amount.startsWith("-") ? -1 : 1)) return false;
  return (
    Object.entries(same).every(([path, member]) => {
      const shown = plain(memberAt(record, path), path);
      return shown !== null && shown === plain(body[member], path);
    }) &&
    Object.entries(atLeast).every(([path, member]) => {
      const shown = plain(memberAt(record, path), path);
      const sent = plain(body[member], path);
      return shown !== null && sent !== null && compareDecimals(shown, sent) >= 0;
    })
  );
}

function memberAt(shown: ReceivedRecord, path: string): unknown {
  let value: unknown = shown;
  for (const name of path.split("/")) value = (value as ReceivedRecord | null | undefined)?.[name];
  return value;
}

/** A value for comparison: amounts without sign and redundant zeros, currencies in lower case, other texts without surrounding spaces. */
function plain(value: unknown, path: string): string | null {
  if (value === undefined || value === null) return null;
  const name = path.split("/").at(-1) ?? "";
  if (/^amount/.test(name)) return plainAmount(value)?.replace("-", "") ?? null;
  const text = String(value).trim();
  return /^currency/.test(name) ? text.toLowerCase() : text;
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

export function withExactNumbers(data: object): unknown {
  try {
    return exactNumbers(data);
  } catch {
    return data;
  }
}

/** SHA-256, so that the keys in a store do not reveal the compared values. */
export function digest(parts: readonly unknown[]): Promise<string> {
  return hexDigest(JSON.stringify(parts));
}
