/** Reads the histories of a payment, finds the owner of each record and of each event, and stores what was found. */
import { resultOf, type StatusResult } from "../statuses.ts";
import { asOwner, isEarlier, matchOf, type Owner, ownerAmong, type Side } from "./candidates.ts";
import {
  eventKeyOf,
  isSimilar,
  type Lookup,
  matchesRecord,
  monthsBetween,
  recordKeyOf,
  sourcesOf,
} from "./matching.ts";
import { type Data, missingEvidence, openAttempts, type Row, withEvidence } from "./payment.ts";
import type { Column, FailedCall, PaymentProblem, Policy, Run, Values } from "./protocol.ts";
import { ask, type Rows } from "./rows.ts";

const maxMonths = 14;

/** What was read of the histories of a payment. */
export interface Reading {
  readonly sides: readonly Side[];
  /** Whether no month failed. A month that the service refuses has not failed. */
  readonly isRead: boolean;
  /** Whether every month was read and shows all its records: only then a missing record says something. */
  readonly isWhole: boolean;
  readonly problem: PaymentProblem | undefined;
}

/** An event. `shown`: the members that are compared with payments, those of the event or of the details that its identifier leads to. */
export interface ShownEvent {
  readonly id: string;
  readonly result: StatusResult;
  readonly shown: Values;
}

export interface Evidence {
  /** Reads every month in which a record of a payment can stand. */
  read(data: Data, now: number): Run<Reading>;
  /**
   * Gives the records that were read to the payments that they belong to: to this one, or to an equal one. `isAmbiguous`: a record can be
   * of this payment, or of another.
   */
  attribute(row: Row, reading: Reading): Run<{ row: Row; isAmbiguous: boolean }>;
  /** Gives an event to the payment that it belongs to, or contradicts, and returns that payment. */
  attributeEvent(lookup: Lookup, event: ShownEvent): Run<Row | undefined>;
}

export function createEvidence(rows: Rows, policy: Policy): Evidence {
  const { edition, evidence, allowanceMs } = policy;

  function* read(data: Data, now: number): Run<Reading> {
    const sources = evidence === "identifiers" ? [] : sourcesOf(rows.lookupOf(data.operation), data.body, edition);
    const from = Math.min(now, ...openAttempts(data).map(({ at }) => at));
    const months = monthsBetween(from - allowanceMs, now + allowanceMs);
    const sides: Side[] = [];
    let [isRead, isWhole] = [true, months.length <= maxMonths];
    let problem: PaymentProblem | undefined;
    for (const source of sources) {
      const found = new Map<unknown, Values>();
      const similar = new Map<unknown, Values>();
      let isBlind = true;
      for (const month of months.slice(-maxMonths)) {
        const reply = yield* ask({ do: "history", operation: source.operation.id, user: source.user, month });
        if (reply.outcome === "read") {
          for (const record of reply.records) {
            if (matchesRecord(source, data.body, record) !== "no") found.set(record.id, record);
            else if (isSimilar(source, data.body, record)) similar.set(record.id, record);
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
      sides.push({ source, records: [...found.values()], similar: [...similar.values()], isBlind });
    }
    return { sides, isRead, isWhole, problem };
  }

  function* attribute(given: Row, { sides }: Reading): Run<{ row: Row; isAmbiguous: boolean }> {
    const { reference } = given;
    let row = given;
    let isAmbiguous = false;
    for (const side of sides) {
      const { column } = side.source;
      row = yield* updateResults(row, side);
      const owners = yield* findOwners(row, side);
      for (const [record, owner] of owners) {
        const isOwn = "row" in owner && owner.row.reference === reference;
        if (owner.is === "ambiguous") isAmbiguous ||= owner.candidates.some((one) => one.reference === reference);
        // Which of the records are of the payment, cannot be told.
        else if (owner.is === "found" && isMoreThanMissing(owners, owner.row, column)) isAmbiguous ||= isOwn;
        else if (owner.is !== "nobody") {
          const changed = yield* storeRecord(owner, column, record);
          if (isOwn) row = changed;
        }
      }
    }
    return { row, isAmbiguous: isAmbiguous || (yield* isSimilarOnAll(row.data, sides)) };
  }

  /** Stores the results of records that are evidence of the payment already. */
  function updateResults(row: Row, { source: { column }, records }: Side): Run<Row> {
    const { recordEnds } = rows.lookupOf(row.data.operation);
    return rows.change(row, (data) =>
      records
        .filter(({ id }) => Object.hasOwn(data.evidence[column], id as string))
        .reduce((now, { id, status }) => withEvidence(now, column, id as string, resultOf(recordEnds, status)), data),
    );
  }

  /** Finds the owner of each record that is not evidence of a payment yet. */
  function* findOwners(row: Row, { source, records }: Side): Run<Map<Values, Owner>> {
    const { column } = source;
    const owners = new Map<Values, Owner>();
    const isEvidenceOf = ({ data }: Row, { id }: Values) => Object.hasOwn(data.evidence[column], id as string);
    const rest = records.filter((record) => !isEvidenceOf(row, record));
    if (rest.length === 0) return owners;
    const { created } = rows.lookupOf(row.data.operation);
    const key = recordKeyOf(source, row.data.body);
    // Also this payment as it is stored now: another process can have sent it since it was read.
    const equal = yield* rows.equalRows(column, key);
    const isListed = equal.rows.some(({ reference }) => reference === row.reference);
    if (equal.isMore && !isListed) equal.rows.push(yield* rows.rowOf(row.reference));
    for (const record of rest) {
      const owner = ownerAmong(equal, (data) => matchOf(data, source, record, created, policy));
      if (owner.is === "nobody") continue;
      const id = record[created];
      // A process can have ended between reserving the record and storing it as evidence.
      const named =
        (yield* rows.ownerOf(`${column}:${record.id}`)) ??
        (typeof id === "string" ? yield* rows.ownerOf(id) : undefined);
      if (named === undefined) owners.set(record, owner);
      else if (!isEvidenceOf(named, record)) owners.set(record, asOwner(named));
    }
    return owners;
  }

  function storeRecord(owner: Owner & { row: Row }, column: Column, record: Values): Run<Row> {
    const { recordEnds, created } = rows.lookupOf(owner.row.data.operation);
    const result = resultOf(recordEnds, record.status);
    const id = record[created];
    return store(owner, column, record.id as string, result, (data) => {
      const isNamed = typeof id === "string" && missingEvidence(data, "event") > 0;
      return isNamed ? withEvidence(data, "event", id, "open") : data;
    });
  }

  /** Stores a record or an event as evidence of its owner, or against it. `also` adds what else it shows. */
  function store(
    { is, row }: Owner & { row: Row },
    column: Column,
    id: string,
    result: StatusResult,
    also: (data: Data) => Data,
  ): Run<Row> {
    if (is === "contradicted") return rows.contradict(row, column, id, result);
    return rows.change(row, (data, isTaken) => (isTaken ? undefined : also(withEvidence(data, column, id, result))));
  }

  /**
   * Whether every side has a record that does not match, and can be of the payment all the same. An effect is shown on every side: a record
   * on one side alone is of something else.
   */
  function* isSimilarOnAll(data: Data, sides: readonly Side[]): Run<boolean> {
    for (const { source, similar } of sides) {
      let isFree = false;
      for (const record of similar) {
        if (isFree || isEarlier(data, source.column, record, allowanceMs)) continue;
        isFree = !(yield* isOwned(source.column, record));
      }
      if (!isFree) return false;
    }
    return sides.length > 0;
  }

  function* isOwned(column: Column, record: Values): Run<boolean> {
    const ids = rows.idMembers.flatMap((member) => (typeof record[member] === "string" ? [record[member]] : []));
    for (const name of [`${column}:${record.id}`, ...ids]) if ((yield* rows.ownerOf(name)) !== undefined) return true;
    return false;
  }

  function* attributeEvent(lookup: Lookup, { id, result, shown }: ShownEvent): Run<Row | undefined> {
    const key = eventKeyOf(lookup, shown, false);
    if (key === null) return undefined;
    const owner = ownerAmong(yield* rows.equalRows("event", key), (data) =>
      matchOf(data, rows.lookupOf(data.operation).webhook, shown, lookup.created, policy),
    );
    return "row" in owner ? yield* store(owner, "event", id, result, (data) => data) : undefined;
  }

  return { read, attribute, attributeEvent };
}

/** Whether more records are found for a payment than it lacks. */
function isMoreThanMissing(owners: ReadonlyMap<Values, Owner>, { reference, data }: Row, column: Column): boolean {
  const found = [...owners.values()].filter((owner) => owner.is === "found" && owner.row.reference === reference);
  return found.length > missingEvidence(data, column);
}

/** Only a P-code that the operation lists, and that says that there was no effect, is a refusal of this call. */
export const isRefusal = ({ outcome, problem }: FailedCall): boolean =>
  outcome === "refused" && problem.errorCode !== undefined && problem.documented === true;
