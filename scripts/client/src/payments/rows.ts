/** Reads and changes stored payments. */
import type { StatusResult } from "../statuses.ts";
import type { Lookup } from "./matching.ts";
import { columns, type Data, derive, type Row, stateOf, toRow, withContradiction } from "./payment.ts";
import type { Column, Command, Replies, Run, StoredPayment } from "./protocol.ts";

/** When more payments than this have an equal key, not all of them are compared with a record or an event. */
const maxEqual = 20;

/** Yields a command to the driver, and returns its reply. */
export function* ask<One extends Command>(command: One): Run<Replies[One["do"]]> {
  return (yield command) as Replies[One["do"]];
}

export interface EqualRows {
  readonly rows: Row[];
  /** Whether there are others, which are not listed. */
  readonly isMore: boolean;
}

export class Rows {
  readonly #lookups: Readonly<Record<string, Lookup>>;
  /** The members of records that may hold the identifier of a payment. */
  readonly idMembers: readonly string[];

  constructor(lookups: Readonly<Record<string, Lookup>>) {
    this.#lookups = lookups;
    this.idMembers = [...new Set(Object.values(lookups).map(({ created }) => created))];
  }

  /** @throws {TypeError} for an operation that makes no payment. */
  lookupOf(operation: string): Lookup {
    const lookup = Object.hasOwn(this.#lookups, operation) ? this.#lookups[operation] : undefined;
    if (lookup === undefined) throw new TypeError(`There is no payment operation ${operation}.`);
    return lookup;
  }

  /** @throws {TypeError} when there is no payment with this reference. */
  *rowOf(reference: string): Run<Row> {
    const stored = yield* ask({ do: "read", reference });
    if (stored === null) throw new TypeError("There is no payment with this reference.");
    return toRow(stored);
  }

  /** The payment that has an identifier, or a record whose name is its side and id, such as `debit:…`. */
  *ownerOf(name: string): Run<Row | undefined> {
    const stored = yield* ask({ do: "withId", id: name });
    return stored === null ? undefined : yield* this.rowOf(stored.reference.split("\n", 1)[0] as string);
  }

  /** The payments with a key in a column. */
  *equalRows(column: Column, key: string): Run<EqualRows> {
    const rows = (yield* ask({ do: "equal", column, key, limit: maxEqual + 1 })).map(toRow);
    return { rows, isMore: rows.length > maxEqual && rows.at(-1)?.isRefuted === false };
  }

  /**
   * Changes a payment: `apply` gets its data as another process may have written it meanwhile, and returns undefined to leave it unchanged.
   * `isTaken`: evidence that an earlier call of `apply` added is that of another payment.
   */
  *change(row: Row, apply: (data: Data, isTaken: boolean) => Data | undefined): Run<Row> {
    let isTaken = false;
    for (let latest = row; ; latest = yield* this.rowOf(row.reference)) {
      const data = apply(latest.data, isTaken);
      if (data === undefined || data === latest.data) return latest;
      const { id, claims } = newEvidence(latest, data);
      for (const name of claims) isTaken ||= !(yield* claim(row.reference, name));
      if (isTaken && claims.length > 0) continue;
      const next = derive({ ...latest, id, data }, this.lookupOf(data.operation));
      const outcome = yield* ask({ do: "write", payment: toStored(next) });
      if (outcome === "written") return next;
      isTaken ||= outcome === "taken";
    }
  }

  contradict(row: Row, column: Column, id: string, result: StatusResult): Run<Row> {
    return this.change(row, (data) => withContradiction(data, column, id, result, stateOf(data)));
  }
}

/** Reserves a piece of evidence for a payment: in a row of its own, because a payment has one column for an identifier. */
function* claim(reference: string, id: string): Run<boolean> {
  const empty = { debit: null, credit: null, event: null, data: "{}" };
  const flags = { isOpen: false, holds: false, isRefuted: false, isContradicted: false };
  const row = { reference: `${reference}\n${id}`, version: 1, state: "accepted", id, ...empty, ...flags } as const;
  return (yield* ask({ do: "write", payment: row })) !== "taken";
}

export const toStored = (row: Row): StoredPayment => ({ ...row, data: JSON.stringify(row.data) });

/** The identifier for the column of the row, and the names of the other evidence that `data` adds. */
function newEvidence(row: Row, data: Data): { id: string | null; claims: string[] } {
  let { id } = row;
  const claims: string[] = [];
  for (const column of columns) {
    for (const name of Object.keys(data.evidence[column])) {
      if (Object.hasOwn(row.data.evidence[column], name)) continue;
      if (column !== "event") claims.push(`${column}:${name}`);
      else if (id === null) id = name;
      else if (id !== name) claims.push(name);
    }
  }
  return { id, claims };
}
