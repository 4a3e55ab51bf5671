import type { Lookup } from "./matching.ts";
import { type Data, derive, keyColumns, type Row, toRow } from "./payment.ts";
import type { Column, Command, Replies, Run, StoredPayment, Values } from "./protocol.ts";

/** The largest number of equal payments that are compared with a record or an event. If more are not refuted, the owner is ambiguous. */
const maxEqual = 20;

export function* ask<SomeCommand extends Command>(command: SomeCommand): Run<Replies[SomeCommand["do"]]> {
  return (yield command) as Replies[SomeCommand["do"]];
}

export interface EqualRows {
  readonly rows: Row[];
  /** Whether there are more than {@link maxEqual} equal payments that are not refuted. `rows` can then be incomplete. */
  readonly hasMore: boolean;
}

export class PaymentRows {
  readonly #lookups: Readonly<Record<string, Lookup>>;
  /** These members of records may hold the identifier of a payment. */
  readonly #idMembers: readonly string[];

  constructor(lookups: Readonly<Record<string, Lookup>>) {
    this.#lookups = lookups;
    this.#idMembers = [...new Set(Object.values(lookups).map(({ created }) => created))];
  }

  /** @throws {TypeError} for an operation that makes no payment. */
  lookupOf(operation: string): Lookup {
    const lookup = Object.hasOwn(this.#lookups, operation) ? this.#lookups[operation] : undefined;
    if (lookup === undefined) throw new TypeError(`There is no payment operation ${operation}.`);
    return lookup;
  }

  /** @throws {TypeError} when there is no payment with this reference. */
  *rowOf(reference: string): Run<Row> {
    const storedPayment = yield* ask({ do: "read", reference });
    if (storedPayment === null) throw new TypeError("There is no payment with this reference.");
    return toRow(storedPayment);
  }

  /** The payment to which an identifier, or a record such as `debit:ID`, belongs; undefined when there is none. */
  *ownerOf(idOrRecord: string): Run<Row | undefined> {
    const storedPayment = yield* ask({ do: "withId", id: idOrRecord });
    return storedPayment === null ? undefined : yield* this.rowOf(paymentOf(storedPayment));
  }

  /** The payment to which a record, or an identifier in its `idMembers`, belongs; undefined when there is none. */
  *ownerOfRecord(column: Column, record: Values, idMembers: readonly string[] = this.#idMembers): Run<Row | undefined> {
    const ids = idMembers.map((member) => record[member]).filter((id) => typeof id === "string");
    for (const name of [evidenceName(column, record.id), ...ids]) {
      const row = yield* this.ownerOf(name);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  *equalRows(column: Column, key: string): Run<EqualRows> {
    const rows = (yield* ask({ do: "equal", column, key, limit: maxEqual + 1 })).map(toRow);
    return { rows, hasMore: rows.length > maxEqual && rows.at(-1)?.isRefuted === false };
  }

  /**
   * @param apply returns undefined to change nothing. It is called again when another process has changed the payment meanwhile, and with
   * `isTaken` when evidence that its last call added belongs to another payment.
   */
  *change(row: Row, apply: (data: Data, isTaken: boolean) => Data | undefined): Run<Row> {
    let isTaken = false;
    for (let latestRow = row; ; latestRow = yield* this.rowOf(row.reference)) {
      const data = apply(latestRow.data, isTaken);
      if (data === undefined || data === latestRow.data) return latestRow;
      const { id, otherNames } = newEvidence(latestRow, data);
      for (const name of otherNames) isTaken ||= !(yield* reserve(row.reference, name));
      if (isTaken && otherNames.length > 0) continue;
      const nextRow = derive({ ...latestRow, id, data }, this.lookupOf(data.operation));
      const outcome = yield* ask({ do: "write", payment: toStored(nextRow) });
      if (outcome === "written") return nextRow;
      isTaken ||= outcome === "taken";
    }
  }
}

/** A separate row is used, because a payment's row has one identifier. Returns false if another payment has the evidence. */
function* reserve(reference: string, name: string): Run<boolean> {
  return (yield* ask({ do: "write", payment: reservation(reference, name) })) !== "taken";
}

/** The line break makes the reference unique: references of partners have none. */
export function reservation(reference: string, name: string): StoredPayment {
  const noKeys = { debit: null, credit: null, event: null };
  const flags = { isOpen: false, holds: false, isRefuted: false, isContradicted: false };
  return {
    reference: `${reference}\n${name}`,
    version: 1,
    state: "accepted",
    id: name,
    data: "{}",
    ...noKeys,
    ...flags,
  };
}

/** Identifiers name themselves. Two sides can have records with the same id. */
export const evidenceName = (column: Column, id: unknown): string =>
  column === "event" ? String(id) : `${column}:${id}`;

/** The reference of a payment. The row may be a reservation. */
export const paymentOf = ({ reference }: StoredPayment): string => reference.split("\n", 1)[0] as string;

export const toStored = (row: Row): StoredPayment => ({ ...row, data: JSON.stringify(row.data) });

/**
 * The evidence that `data` adds to a row. `id`: the identifier of the row, which never changes once it is set. `otherNames`: the names of
 * all other new evidence.
 */
function newEvidence(row: Row, data: Data): { id: string | null; otherNames: string[] } {
  let { id } = row;
  const otherNames: string[] = [];
  for (const column of keyColumns) {
    for (const name of Object.keys(data.evidence[column])) {
      if (Object.hasOwn(row.data.evidence[column], name)) continue;
      if (column !== "event") otherNames.push(evidenceName(column, name));
      else if (id === null) id = name;
      else if (id !== name) otherNames.push(name);
    }
  }
  return { id, otherNames };
}
