/** Evidence of payments: reads it, finds the payment that it belongs to, and stores it. */
import { resultOf, type StatusResult } from "../statuses.ts";
import {
  agrees,
  isNear,
  type Lookup,
  matchesRecord,
  monthsBetween,
  recordKeyOf,
  type Source,
  sourcesOf,
  timeOf,
} from "./matching.ts";
import {
  columns,
  type Data,
  derive,
  type EarlierRecords,
  lacks,
  openAttempts,
  type Row,
  stateOf,
  toRow,
  withContradiction,
  withEvidence,
} from "./payment.ts";
import type {
  Column,
  Command,
  FailedCall,
  PaymentProblem,
  Policy,
  Replies,
  Run,
  StoredPayment,
  Values,
} from "./protocol.ts";

/** More equal payments than this count as several that could be meant. */
const maxEqual = 20;
const maxMonths = 14;
const maxBefore = 20;

/** The matching records of a history. `isBlind`: no month could be read. */
export interface Side {
  readonly source: Source;
  readonly records: readonly Values[];
  /** Records that do not match, and may be of the payment all the same. */
  readonly near: readonly Values[];
  readonly isBlind: boolean;
}

/** What was read of the histories of a payment. */
export interface Reading {
  readonly sides: readonly Side[];
  /** Whether no month failed. A month that the service refuses has not failed. */
  readonly isRead: boolean;
  /** Whether every month was read and shows all its records: only then a missing record says something. */
  readonly isWhole: boolean;
  readonly problem: PaymentProblem | undefined;
}

export function* ask<Asked extends Command>(command: Asked): Run<Replies[Asked["do"]]> {
  return (yield command) as Replies[Asked["do"]];
}

/** The generators that read and write evidence. */
export interface Evidence {
  /** Throws a TypeError for an operation that makes no payment. */
  lookupOf(operation: string): Lookup;
  /** The stored payment. Throws a TypeError when there is none. */
  known(reference: string): Run<Row>;
  /** The payment that has an identifier, or a record under a name such as `debit:…`. */
  ownerOf(id: string): Run<Row | undefined>;
  /**
   * Changes a payment, whatever others have written meanwhile. `apply` returns undefined to leave it. It is called again with `isTaken`
   * when another payment has the evidence that it added.
   */
  change(row: Row, apply: (data: Data, isTaken: boolean) => Data | undefined): Run<Row>;
  /** Stores evidence against what is known of a payment. */
  contradict(row: Row, column: Column, id: string, result: StatusResult): Run<Row>;
  /** The payments with a key. `isMore`: more payments than are listed could be meant. */
  equal(column: Column, key: string): Run<{ rows: Row[]; isMore: boolean }>;
  /** Whether a record or an event can be of a payment. `unsure`: it can have been there before the payment was sent. */
  canMean(data: Data, comparison: Source | Lookup["webhook"], shown: Values, created: string): "no" | "unsure" | "yes";
  /** Reads every month in which a record of a payment can stand. */
  read(data: Data, now: number): Run<Reading>;
  /**
   * Gives the records that were read to the payments that they are of: this one, or an equal one. `isAmbiguous`: a record can be of this
   * payment, or of another.
   */
  attribute(row: Row, ended: Data, reading: Reading): Run<{ row: Row; isAmbiguous: boolean }>;
}

export function createEvidence(lookups: Readonly<Record<string, Lookup>>, policy: Policy): Evidence {
  const lookupOf = (operation: string): Lookup => {
    const lookup = Object.hasOwn(lookups, operation) ? lookups[operation] : undefined;
    if (lookup === undefined) throw new TypeError(`There is no payment operation ${operation}.`);
    return lookup;
  };

  function* known(reference: string): Run<Row> {
    const stored = yield* ask({ do: "read", reference });
    if (stored === null) throw new TypeError("There is no payment with this reference.");
    return toRow(stored);
  }

  function* ownerOf(id: string): Run<Row | undefined> {
    const stored = yield* ask({ do: "withId", id });
    return stored === null ? undefined : yield* known(stored.reference.split("\n", 1)[0] as string);
  }

  /** Reserves a piece of evidence for a payment: a row of its own, because a payment has one column for an identifier. */
  function* claim(reference: string, id: string): Run<boolean> {
    const empty = { debit: null, credit: null, event: null };
    const flags = { isOpen: false, holds: false, isRefuted: false, isContradicted: false };
    const row = { reference: `${reference}\n${id}`, version: 1, state: "accepted", id, ...empty, ...flags } as const;
    return (yield* ask({ do: "write", payment: { ...row, data: "{}" } })) !== "taken";
  }

  function* change(row: Row, apply: (data: Data, isTaken: boolean) => Data | undefined): Run<Row> {
    let isTaken = false;
    for (let now = row; ; now = yield* known(row.reference)) {
      const data = apply(now.data, isTaken);
      if (data === undefined || data === now.data) return now;
      const { id, claims } = newEvidence(now, data);
      for (const name of claims) isTaken ||= !(yield* claim(row.reference, name));
      if (isTaken && claims.length > 0) continue;
      const next = derive({ ...now, id, data }, lookupOf(data.operation));
      const outcome = yield* ask({ do: "write", payment: toStored(next) });
      if (outcome === "written") return next;
      isTaken ||= outcome === "taken";
    }
  }

  function* equal(column: Column, key: string): Run<{ rows: Row[]; isMore: boolean }> {
    const rows = (yield* ask({ do: "equal", column, key, limit: maxEqual + 1 })).map(toRow);
    return { rows, isMore: rows.length > maxEqual && rows.at(-1)?.isRefuted === false };
  }

  function* read(data: Data, now: number): Run<Reading> {
    const sources =
      policy.evidence === "identifiers" ? [] : sourcesOf(lookupOf(data.operation), data.body, policy.edition);
    const from = Math.min(now, ...openAttempts(data).map(({ at }) => at));
    const months = monthsBetween(from - policy.allowanceMs, now + policy.allowanceMs);
    const sides: Side[] = [];
    let [isRead, isWhole] = [true, months.length <= maxMonths];
    let problem: PaymentProblem | undefined;
    for (const source of sources) {
      const found = new Map<unknown, Values>();
      const near = new Map<unknown, Values>();
      let isBlind = true;
      for (const month of months.slice(-maxMonths)) {
        const reply = yield* ask({ do: "history", operation: source.operation.id, user: source.user, month });
        if (reply.outcome === "read") {
          for (const record of reply.records) {
            if (matchesRecord(source, data.body, record) !== "no") found.set(record.id, record);
            else if (isNear(source, data.body, record)) near.set(record.id, record);
          }
          isWhole &&= reply.isWhole;
          isBlind = false;
        } else {
          isWhole = false;
          // The service refuses months before the account existed, and a month that has not begun by its clock.
          if (isRefusal(reply)) continue;
          isRead = false;
          problem ??= reply.problem;
        }
      }
      sides.push({ source, records: [...found.values()], near: [...near.values()], isBlind });
    }
    return { sides, isRead, isWhole, problem };
  }

  function* attribute(given: Row, ended: Data, { sides }: Reading): Run<{ row: Row; isAmbiguous: boolean }> {
    let row = given;
    let isAmbiguous = false;
    const { recordEnds, created } = lookupOf(ended.operation);
    for (const { source, records } of sides) {
      const { column } = source;
      const result = (record: Values) => resultOf(recordEnds, record.status);
      const own = records.filter(({ id }) => Object.hasOwn(row.data.evidence[column], id as string));
      row = yield* change(row, (data) =>
        own.reduce((now, record) => withEvidence(now, column, record.id as string, result(record)), data),
      );
      const rest = records.filter((record) => !own.includes(record));
      if (rest.length === 0) continue;
      const key = recordKeyOf(source, ended.body);
      // Also this payment as it is stored now: another process can have sent it since it was read.
      const { rows, isMore } = yield* equal(column, key);
      const owned = new Map<string, Values[]>();
      for (const record of rest) {
        const meant = rows.filter((one) => !one.isRefuted && canMean(one.data, source, record, created) !== "no");
        const refuted = rows.filter((one) => one.isRefuted && canMean(one.data, source, record, created) !== "no");
        const isOwn = meant.some(({ reference }) => reference === row.reference);
        if (meant.length === 0 && refuted.length === 0 && !isMore) continue;
        // A process can have ended between the claim and the evidence.
        const claimed = yield* ownerOf(`${column}:${record.id}`);
        if (claimed !== undefined && Object.hasOwn(claimed.data.evidence[column], record.id as string)) continue;
        const shownId = record[created];
        const named = claimed ?? (typeof shownId === "string" ? yield* ownerOf(shownId) : undefined);
        const [only = named, ...others] = named === undefined ? meant : [named];
        if (only === undefined) {
          const last = newest(refuted);
          if (last !== undefined && !isMore) yield* contradict(last, column, record.id as string, result(record));
          continue;
        }
        const isSure = named !== undefined || canMean(only.data, source, record, created) === "yes";
        if (others.length > 0 || (isMore && named === undefined) || !isSure)
          isAmbiguous ||= isOwn || (isMore && openAttempts(ended).length > 0);
        else owned.set(only.reference, [...(owned.get(only.reference) ?? []), record]);
      }
      for (const [reference, found] of owned) {
        const isOwn = reference === row.reference;
        const owner = rows.find((one) => one.reference === reference) ?? (yield* known(reference));
        const isSeveral = found.length > lacks(owner.data, column);
        if (isSeveral) {
          isAmbiguous ||= isOwn;
          continue;
        }
        let changed = owner;
        for (const record of found) {
          const id = record.id as string;
          if (owner.state === "abandoned") changed = yield* contradict(changed, column, id, result(record));
          else
            changed = yield* change(changed, (data, isTaken) =>
              isTaken ? undefined : withRecord(data, column, record, created, result(record)),
            );
        }
        if (isOwn && changed !== owner) row = changed;
      }
    }
    for (const side of sides) isAmbiguous ||= yield* hasNear(row.data, side);
    return { row, isAmbiguous };
  }

  /** Whether a record that nearly matches can be of a payment which lacks one, and is not known to be of another. */
  function* hasNear(data: Data, { source: { column }, near }: Side): Run<boolean> {
    if (lacks(data, column) <= 0) return false;
    for (const record of near) {
      if (isEarlier(data, column, record)) continue;
      if ((yield* ownerOf(`${column}:${record.id}`)) === undefined) return true;
    }
    return false;
  }

  /** Whether a record or an event is older than a payment. */
  function isEarlier(data: Data, column: Column, shown: Values): boolean {
    const first = (openAttempts(data)[0] ?? data.attempts[0])?.at ?? Number.POSITIVE_INFINITY;
    if (timeOf(shown) < first - policy.allowanceMs) return true;
    return data.before[column]?.ids.includes(shown.id as string) === true;
  }

  function contradict(row: Row, column: Column, id: string, result: StatusResult): Run<Row> {
    return change(row, (data) => withContradiction(data, column, id, result, stateOf(data)));
  }

  function canMean(
    data: Data,
    comparison: Source | Lookup["webhook"],
    shown: Values,
    created: string,
  ): "no" | "unsure" | "yes" {
    const column = "column" in comparison ? comparison.column : "event";
    const isRefused = openAttempts(data).length === 0;
    if (!isRefused && lacks(data, column) <= 0) return "no";
    const agreement =
      "column" in comparison ? matchesRecord(comparison, data.body, shown) : agrees(comparison, data.body, shown);
    if (agreement === "no") return "no";
    if (isEarlier(data, column, shown)) return "no";
    if (column === "event" || agreement === "unsure") return agreement;
    const id = shown[created];
    const isOther = typeof id === "string" && !Object.hasOwn(data.evidence.event, id) && lacks(data, "event") === 0;
    if (isOther && !isRefused) return "no";
    return timeOf(shown) >= (data.before[column]?.from ?? Number.NEGATIVE_INFINITY) ? "yes" : "unsure";
  }

  return { lookupOf, known, ownerOf, change, contradict, equal, canMean, read, attribute };
}

export const toStored = (row: Row): StoredPayment => ({ ...row, data: JSON.stringify(row.data) });

export const newest = (rows: Row[]): Row | undefined => rows.sort((a, b) => sentAt(a) - sentAt(b)).at(-1);
const sentAt = ({ data }: Row): number => data.attempts.at(-1)?.at ?? 0;

/** Only a P-code that the operation lists, and that says that there was no effect, is a refusal of this call. */
export const isRefusal = ({ outcome, problem }: FailedCall): boolean =>
  outcome === "refused" && problem.errorCode !== undefined && problem.documented === true;

/** The identifier of a payment, and the names of its other new evidence. */
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

function withRecord(data: Data, column: Column, record: Values, created: string, result: StatusResult): Data {
  const changed = withEvidence(data, column, record.id as string, result);
  const id = record[created];
  return typeof id === "string" && lacks(changed, "event") > 0 ? withEvidence(changed, "event", id, "open") : changed;
}

/** The newest records that are there before the payment is sent: they cannot be of it. */
export function beforeOf({ sides }: Reading, now: number, allowanceMs: number): Data["before"] {
  const before: Partial<Record<Column, EarlierRecords>> = {};
  for (const { source, records, near, isBlind } of sides) {
    const recent = (all: readonly Values[]) =>
      all.filter((one) => !(timeOf(one) < now - allowanceMs)).sort((a, b) => timeOf(b) - timeOf(a) || 0);
    const newest = recent(records);
    const nearest = recent(near).slice(0, maxBefore);
    const ids = [...newest.slice(0, maxBefore), ...nearest].map(({ id }) => String(id));
    const oldest = newest.length > maxBefore ? timeOf(newest[maxBefore - 1] as Values) : null;
    if (isBlind) before[source.column] = { ids, from: now + allowanceMs };
    else if (ids.length > 0) before[source.column] = { ids, from: oldest };
  }
  return before;
}
