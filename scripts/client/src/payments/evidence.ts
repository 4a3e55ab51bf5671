/** Reads the histories of a payment, finds the payment that each record or event belongs to, and stores it as evidence of that payment. */
import { resultOf, type StatusResult } from "../statuses.ts";
import { isEarlier, matchOf, type Owner, ownerAmong, ownerOfRow, type Side } from "./candidates.ts";
import {
  eventKeyOf,
  isSimilar,
  type Lookup,
  matchesRecord,
  monthsBetween,
  recordKeyOf,
  type Source,
  sourcesOf,
} from "./matching.ts";
import { type Data, missingEvidence, openAttempts, type Row, withEvidence } from "./payment.ts";
import type { Column, FailedCall, PaymentProblem, Policy, Run, Values } from "./protocol.ts";
import { ask, type PaymentRows } from "./rows.ts";

const maxMonths = 14;

/** The records of a payment's histories that match its request or are similar. */
export interface Reading {
  readonly sides: readonly Side[];
  /** Whether every month was read or refused by the service, so that no call failed in another way. */
  readonly isRead: boolean;
  /** Whether every month was read with all its records: only then does `repeatAfter` send a payment again that has no record. */
  readonly isWhole: boolean;
  readonly problem: PaymentProblem | undefined;
}

interface SideReading extends Side, Omit<Reading, "sides"> {}

/** An event. `values`: the values to compare with payments, taken from the event or from the details of the resource with its identifier. */
export interface ReceivedEvent {
  readonly id: string;
  readonly result: StatusResult;
  readonly values: Values;
}

export interface Evidence {
  /** Reads each month (at most the last 14) in which a history can have records of a payment. `now` is in milliseconds since 1970. */
  read(data: Data, now: number): Run<Reading>;
  /**
   * Stores each record as evidence of the payment that it belongs to or contradicts: this one, or an equal one. A record whose payment is
   * not clear is not stored. `isAmbiguous`: nothing shows whether a record belongs to this payment.
   */
  attribute(row: Row, reading: Reading): Run<{ row: Row; isAmbiguous: boolean }>;
  /**
   * Stores an event as evidence of the payment that it belongs to or contradicts. Returns the payment; undefined if none or several match,
   * or one matches only as `unsure`.
   */
  attributeEvent(lookup: Lookup, event: ReceivedEvent): Run<Row | undefined>;
}

export function createEvidence(rows: PaymentRows, policy: Policy): Evidence {
  const { edition, evidence, allowanceMs } = policy;

  function* read(data: Data, now: number): Run<Reading> {
    const sources = evidence === "identifiers" ? [] : sourcesOf(rows.lookupOf(data.operation), data.body, edition);
    const startTime = Math.min(now, ...openAttempts(data).map(({ at }) => at));
    const months = monthsBetween(startTime - allowanceMs, now + allowanceMs);
    const readings: SideReading[] = [];
    for (const source of sources) readings.push(yield* readSide(source, data, months.slice(-maxMonths)));
    return {
      sides: readings,
      isRead: readings.every(({ isRead }) => isRead),
      isWhole: months.length <= maxMonths && readings.every(({ isWhole }) => isWhole),
      problem: readings.find(({ problem }) => problem)?.problem,
    };
  }

  function* readSide(source: Source, data: Data, months: readonly string[]): Run<SideReading> {
    const matchingById = new Map<unknown, Values>();
    const similarById = new Map<unknown, Values>();
    let isUnreadable = true;
    let isRead = true;
    let isWhole = true;
    let problem: PaymentProblem | undefined;
    for (const month of months) {
      const reply = yield* ask({ do: "history", operation: source.operation.id, user: source.user, month });
      if (reply.outcome === "read") {
        for (const record of reply.records) {
          if (matchesRecord(source, data.body, record) !== "no") matchingById.set(record.id, record);
          else if (isSimilar(source, data.body, record)) similarById.set(record.id, record);
        }
        isWhole &&= reply.isWhole;
        isUnreadable = false;
      } else {
        isWhole = false;
        // The service refuses months before the account existed, and months that have not begun by the service's clock.
        if (isRefusal(reply)) continue;
        isRead = false;
        problem ??= reply.problem;
      }
    }
    return {
      source,
      records: [...matchingById.values()],
      similarRecords: [...similarById.values()],
      isUnreadable,
      isRead,
      isWhole,
      problem,
    };
  }

  function* attribute(startRow: Row, { sides }: Reading): Run<{ row: Row; isAmbiguous: boolean }> {
    const { reference } = startRow;
    let row = startRow;
    let isAmbiguous = false;
    for (const side of sides) {
      const { column } = side.source;
      row = yield* updateResults(row, side);
      const owners = yield* findOwners(row, side);
      for (const [record, owner] of owners) {
        const isThisPayment = "row" in owner && owner.row.reference === reference;
        if (owner.kind === "ambiguous") isAmbiguous ||= owner.candidates.some((one) => one.reference === reference);
        // More records match than the payment can have: nothing shows which belong to it.
        else if (owner.kind === "found" && hasTooManyNewRecords(owners, owner.row, column))
          isAmbiguous ||= isThisPayment;
        else {
          const changedRow = yield* storeRecord(owner, column, record);
          if (isThisPayment) row = changedRow;
        }
      }
    }
    return { row, isAmbiguous: isAmbiguous || (yield* hasSimilarOnAllSides(row.data, sides)) };
  }

  /** Updates the results of records that are already evidence of the payment. */
  function updateResults(row: Row, { source: { column }, records }: Side): Run<Row> {
    const { recordEnds } = rows.lookupOf(row.data.operation);
    return rows.change(row, (data) =>
      records
        .filter(({ id }) => Object.hasOwn(data.evidence[column], id as string))
        .reduce(
          (changedData, { id, status }) =>
            withEvidence(changedData, column, id as string, resultOf(recordEnds, status)),
          data,
        ),
    );
  }

  /** Finds the owner of each record that is not yet evidence of a payment. Records without an owner are left out. */
  function* findOwners(row: Row, { source, records }: Side): Run<Map<Values, Owner>> {
    const { column } = source;
    const owners = new Map<Values, Owner>();
    const isEvidenceOf = ({ data }: Row, { id }: Values) => Object.hasOwn(data.evidence[column], id as string);
    const { created, recordEnds } = rows.lookupOf(row.data.operation);
    const isSuccess = ({ status }: Values) => resultOf(recordEnds, status) === "succeeded";
    // Records that succeeded are stored last: while the failed record of a failed identifier is not stored yet, a success looks like a
    // returned payment.
    const newRecords = records
      .filter((record) => !isEvidenceOf(row, record))
      .sort((a, b) => Number(isSuccess(a)) - Number(isSuccess(b)));
    if (newRecords.length === 0) return owners;
    const key = recordKeyOf(source, row.data.body);
    // These rows include this payment as it is stored now, because another process may have sent it since `row` was read.
    const equalRows = yield* rows.equalRows(column, key);
    if (equalRows.hasMore) equalRows.rows.push(yield* rows.rowOf(row.reference));
    for (const record of newRecords) {
      const owner = ownerAmong(equalRows, (data) => matchOf(data, source, record, created, policy));
      if (owner === undefined) continue;
      const id = record[created];
      // A process may have ended after reserving the record and before storing it as evidence.
      const namedRow =
        (yield* rows.ownerOf(`${column}:${record.id}`)) ??
        (typeof id === "string" ? yield* rows.ownerOf(id) : undefined);
      if (namedRow === undefined) owners.set(record, owner);
      else if (!isEvidenceOf(namedRow, record)) owners.set(record, ownerOfRow(namedRow));
    }
    return owners;
  }

  function storeRecord(owner: Owner & { row: Row }, column: Column, record: Values): Run<Row> {
    const { recordEnds, created } = rows.lookupOf(owner.row.data.operation);
    const result = resultOf(recordEnds, record.status);
    const id = record[created];
    return storeEvidence(owner, column, record.id as string, result, (data) => {
      const hasNewIdentifier = typeof id === "string" && missingEvidence(data, "event") > 0;
      return hasNewIdentifier ? withEvidence(data, "event", id, "open") : data;
    });
  }

  /** Stores a record or an event as evidence of its owner, or as a contradiction. `addEvidence` adds further evidence from the same record. */
  function storeEvidence(
    { kind, row }: Owner & { row: Row },
    column: Column,
    id: string,
    result: StatusResult,
    addEvidence: (data: Data) => Data,
  ): Run<Row> {
    if (kind === "contradicted") return rows.contradict(row, column, id, result);
    return rows.change(row, (data, isTaken) =>
      isTaken ? undefined : addEvidence(withEvidence(data, column, id, result)),
    );
  }

  /**
   * Whether each side has a similar record that may belong to the payment. A payment has a record on every side: a similar record on only
   * one side does not belong to the payment.
   */
  function* hasSimilarOnAllSides(data: Data, sides: readonly Side[]): Run<boolean> {
    for (const { source, similarRecords } of sides) {
      let hasFreeRecord = false;
      for (const record of similarRecords) {
        if (hasFreeRecord || isEarlier(data, source.column, record, allowanceMs)) continue;
        hasFreeRecord = !(yield* isOwned(source.column, record));
      }
      if (!hasFreeRecord) return false;
    }
    return sides.length > 0;
  }

  function* isOwned(column: Column, record: Values): Run<boolean> {
    const ids = rows.idMembers.flatMap((member) => (typeof record[member] === "string" ? [record[member]] : []));
    for (const name of [`${column}:${record.id}`, ...ids]) if ((yield* rows.ownerOf(name)) !== undefined) return true;
    return false;
  }

  function* attributeEvent(lookup: Lookup, { id, result, values }: ReceivedEvent): Run<Row | undefined> {
    const key = eventKeyOf(lookup, values, false);
    if (key === null) return undefined;
    const owner = ownerAmong(yield* rows.equalRows("event", key), (data) =>
      matchOf(data, rows.lookupOf(data.operation).webhook, values, lookup.created, policy),
    );
    return owner !== undefined && "row" in owner
      ? yield* storeEvidence(owner, "event", id, result, (data) => data)
      : undefined;
  }

  return { read, attribute, attributeEvent };
}

/** Whether more new records have the payment as their owner than can belong to it. */
function hasTooManyNewRecords(owners: ReadonlyMap<Values, Owner>, { reference, data }: Row, column: Column): boolean {
  const ownedRecords = [...owners.values()].filter((owner) => "row" in owner && owner.row.reference === reference);
  return ownedRecords.length > missingEvidence(data, column);
}

/** Whether a failed call is a refusal: its P-code is listed by the operation, and states that there was no effect. */
export const isRefusal = ({ outcome, problem }: FailedCall): boolean =>
  outcome === "refused" && problem.errorCode !== undefined && problem.documented === true;
