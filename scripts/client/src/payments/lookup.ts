/** Where a payment is looked for, and by what a record or an event is recognised as that of a payment. */
import { compareDecimals } from "../decimal.ts";
import { exactNumbers } from "../exact-numbers.ts";
import type { Edition, Operation } from "../operation.ts";
import type { StoredPayment } from "./store.ts";

/** Members of a record or an event, by their path with slashes, and the members of the request whose values they repeat. */
export type Repeated = Readonly<Record<string, string>>;

/** A history that has records of what the operation makes. */
export interface RecordSource {
  readonly operation: Operation;
  /** The member of the request that holds the user whose history it is; absent for the partner's own. */
  readonly of?: string;
  readonly type?: string;
  /** The sign of a record's amount. */
  readonly sign: 1 | -1;
  readonly same: Repeated;
  readonly atLeast: Repeated;
}

/** Where the payments of an operation are looked for: a row of the generated table. */
export interface Lookup {
  readonly operation: Operation;
  /** The member of the response that identifies what was created. */
  readonly created: string;
  readonly records: readonly RecordSource[];
  /** The webhook that tells of it; `id` is the member that identifies it. */
  readonly webhook: { readonly name: string; readonly id: string; readonly same: Repeated };
  /** The lookup of a single one, and the path parameter that names it. */
  readonly details?: { readonly operation: Operation; readonly id: string };
  /** The members of the request that distinguish a payment where each has a value of its own. */
  readonly certain: readonly string[];
  /** The final statuses, and whether each is a success. */
  readonly ends: Readonly<Record<string, boolean>>;
}

/** The body of the request that makes a payment. */
export type Body = Readonly<Record<string, unknown>>;

/** A record of a history or an event, as it arrives. */
export type Shown = Readonly<Record<string, unknown>>;

/** A history that is read for one payment. */
export interface Source extends RecordSource {
  /** `debit` or `credit`: the key of a payment that stands for this source. */
  readonly column: "debit" | "credit";
  /** The user whose history it is; undefined for the partner. */
  readonly user: string | undefined;
}

/** The histories that have a record of a payment, in an edition. */
export function sourcesOf({ records }: Lookup, body: Body, edition: Edition): Source[] {
  return records.flatMap((record): Source[] => {
    const user = record.of === undefined ? undefined : body[record.of];
    const isRead = record.operation.edition === undefined || record.operation.edition === edition;
    if (!isRead || (record.of !== undefined && user === undefined)) return [];
    return [{ ...record, column: record.sign < 0 ? "debit" : "credit", user: user as string | undefined }];
  });
}

/** The keys of a payment: payments with the same key look alike, so that only one of them may be open. */
export async function keysOf(lookup: Lookup, body: Body): Promise<Pick<StoredPayment, "debit" | "credit" | "event">> {
  const keys: { debit: string | null; credit: string | null; event: string | null } = {
    debit: null,
    credit: null,
    event: await eventKey(lookup, (path, member) => plain(body[member], path)),
  };
  // What differs between the editions is which histories can be read, not what looks alike.
  for (const { column, type, user, same } of sourcesOf(lookup, body, "test")) {
    const members = Object.entries(same).map(([path, member]) => plain(body[member], path));
    // A certain member tells payments of all users apart, and an event does not always name the user.
    keys[column] = await digest([type, user ?? null, ...members]);
  }
  return keys;
}

/** The key of the payments that an event can tell of; undefined when it lacks what it would be recognised by. */
export async function keyOfEvent(lookup: Lookup, event: Shown): Promise<string | undefined> {
  const { same } = lookup.webhook;
  // What the request may leave out, such as the user of a payment of the partner, an event may leave out as well.
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

/** Whether a record of a history can be that of a payment. */
export function isLike(source: RecordSource, body: Body, record: Shown): boolean {
  const { type, sign, same, atLeast } = source;
  if (type !== undefined && record.type !== type) return false;
  const amount = plainAmount(record.amount);
  if (amount !== undefined && amount.startsWith("-") !== sign < 0) return false;
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

function memberAt(shown: Shown, path: string): unknown {
  let value: unknown = shown;
  for (const name of path.split("/")) value = (value as Shown | null | undefined)?.[name];
  return value;
}

/** A value in the one form in which it is compared: amounts without sign and needless zeros, currencies in lower case. */
function plain(value: unknown, path: string): string | null {
  if (value === undefined || value === null) return null;
  const name = path.split("/").at(-1) ?? "";
  if (/^amount/.test(name)) return plainAmount(value)?.replace("-", "") ?? null;
  const text = String(value).trim();
  return /^currency/.test(name) ? text.toLowerCase() : text;
}

/** A decimal number without needless zeros; undefined for what is none. */
export function plainAmount(value: unknown): string | undefined {
  const isNumber = typeof value === "number" && Number.isFinite(value);
  // A number that comes with an exponent is small: larger ones than 1e21 are no amounts.
  const text = isNumber ? (/e-/.test(String(value)) ? value.toFixed(20) : String(value)) : value;
  if (typeof text !== "string") return undefined;
  const [, sign = "", integer = "", fraction = ""] = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (integer === "") return undefined;
  return `${sign}${integer}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Data of the service with every digit of its numbers, where the text that it was parsed from is known. */
export function exact(data: object): unknown {
  try {
    return exactNumbers(data);
  } catch {
    return data;
  }
}

/** A SHA-256 in hexadecimal: what payments are compared by does not stand in the store in clear text. */
export async function digest(parts: readonly unknown[]): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(parts)));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
