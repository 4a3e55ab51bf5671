/** Finds the payment that each record or event belongs to, and stores the record or event as evidence of that payment. */
import { resultOf, type StatusResult } from "../helpers/statuses.ts";
import { isEarlier, matchOf, type Owner, ownerAmong, ownerOfRow, type Side } from "./candidates.ts";
import {
  agreementOfRecord,
  eventKeyOf,
  isSimilar,
  type Lookup,
  monthsBetween,
  recordKeyOf,
  type Source,
  sourcesOf,
} from "./matching.ts";
import {
  type Data,
  missingEvidenceCount,
  openAttempts,
  paymentStateOf,
  type Row,
  withContradiction,
  withEvidence,
} from "./payment.ts";
import type { Column, FailedCall, PaymentProblem, Policy, Run, Values } from "./protocol.ts";
import { ask, type PaymentRows } from "./rows.ts";

const maxMonths = 14;

/** What was read in the histories of a payment's payer and payee: the records that match its request, and similar ones. */
export interface Reading {
  readonly sides: readonly Side[];
  /** Whether every month was read, or was refused by the service. False if a call failed in another way. */
  readonly isRead: boolean;
  /** Whether every month was read with all its records. Otherwise, a payment without a record is not sent again after `repeatAfter`. */
  readonly isWhole: boolean;
  readonly problem: PaymentProblem | undefined;
}

export interface ReceivedEvent {
  readonly id: string;
  readonly result: StatusResult;
  /** The values to compare with payments, from the event or from the details of the resource that the event reports. */
  readonly values: Values;
}

export class Attribution {
  readonly #rows: PaymentRows;
  readonly #policy: Policy;

  constructor(rows: PaymentRows, policy: Policy) {
    this.#rows = rows;
    this.#policy = policy;
  }

  /** Reads each month (at most the last 14) in which a history can have records of a payment. `now` is in milliseconds since 1970. */
  *read(data: Data, now: number): Run<Reading> {
    const { edition, evidence, allowanceMs } = this.#policy;
    const isReadable = evidence !== "identifiers";
    const sources = isReadable ? sourcesOf(this.#rows.lookupOf(data.operation), data.body, edition) : [];
    const startTime = Math.min(now, ...openAttempts(data).map(({ at }) => at));
    const months = monthsBetween(startTime - allowanceMs, now + allowanceMs);
    const sides: Side[] = [];
    const reading = { sides, isRead: true, isWhole: months.length <= maxMonths, problem: undefined };
    for (const source of sources) sides.push(yield* readSide(source, data.body, months.slice(-maxMonths), reading));
    return reading;
  }

  /**
   * Stores each record as evidence of the payment that it belongs to or contradicts: this one, or an equal one. A record whose payment is
   * not clear is not stored. `isAmbiguous`: nothing shows whether a record belongs to this payment.
   */
  *attribute(startRow: Row, { sides }: Reading): Run<{ row: Row; isAmbiguous: boolean }> {
    const { reference } = startRow;
    let row = startRow;
    let isAmbiguous = false;
    for (const side of sides) {
      const { column } = side.source;
      row = yield* this.#updateResults(row, side);
      const owners = yield* this.#findOwners(row, side);
      for (const [record, owner] of owners) {
        const isThisPayment = "row" in owner && owner.row.reference === reference;
        if (owner.kind === "ambiguous")
          isAmbiguous ||= owner.candidates.some((candidate) => candidate.reference === reference);
        // More records match than the payment can have: nothing shows which belong to it.
        else if (owner.kind === "found" && hasTooManyNewRecords(owners, owner.row, column))
          isAmbiguous ||= isThisPayment;
        else {
          const { recordEnds, created } = this.#rows.lookupOf(owner.row.data.operation);
          const result = resultOf(recordEnds, record.status);
          const changedRow = yield* this.#store(owner, column, record.id as string, result, record[created]);
          if (isThisPayment) row = changedRow;
        }
      }
    }
    return { row, isAmbiguous: isAmbiguous || (yield* this.#hasSimilarOnAllSides(row.data, sides)) };
  }

  /**
   * Stores an event as evidence of the payment that it belongs to or contradicts. Returns the payment; undefined if none or several match,
   * or one matches only as `unsure`.
   */
  *attributeEvent(lookup: Lookup, { id, result, values }: ReceivedEvent): Run<Row | undefined> {
    const key = eventKeyOf(lookup, values);
    if (key === null) return undefined;
    const { now } = yield* ask({ do: "now" });
    const owner = ownerAmong(yield* this.#rows.equalRows("event", key), (data) =>
      matchOf(data, this.#rows.lookupOf(data.operation).webhook, values, lookup.created, this.#policy, now),
    );
    return owner !== undefined && "row" in owner ? yield* this.#store(owner, "event", id, result) : undefined;
  }

  /** Only for records that are already evidence of the payment. */
  #updateResults(row: Row, { source: { column }, records }: Side): Run<Row> {
    const { recordEnds } = this.#rows.lookupOf(row.data.operation);
    return this.#rows.change(row, (data) =>
      records
        .filter((record) => isEvidenceOf(data, column, record))
        .reduce(
          (changedData, { id, status }) =>
            withEvidence(changedData, column, id as string, resultOf(recordEnds, status)),
          data,
        ),
    );
  }

  /** Only for records that are not yet evidence of a payment. Records without an owner are left out. */
  *#findOwners(row: Row, { source, records }: Side): Run<Map<Values, Owner>> {
    const { column } = source;
    const owners = new Map<Values, Owner>();
    const { created, recordEnds } = this.#rows.lookupOf(row.data.operation);
    const isSuccess = ({ status }: Values) => resultOf(recordEnds, status) === "succeeded";
    // Successful records are stored last. Otherwise, if an identifier has failed, a successful record could be taken for the record of that
    // identifier, and the payment for a returned one.
    const newRecords = records
      .filter((record) => !isEvidenceOf(row.data, column, record))
      .sort((a, b) => Number(isSuccess(a)) - Number(isSuccess(b)));
    if (newRecords.length === 0) return owners;
    const key = recordKeyOf(source, row.data.body);
    // These rows include this payment as it is stored now, because another process may have sent it since `row` was read.
    const equalRows = yield* this.#rows.equalRows(column, key);
    if (equalRows.hasMore) equalRows.rows.push(yield* this.#rows.rowOf(row.reference));
    for (const record of newRecords) {
      const agreementOf = (data: Data) => matchOf(data, source, record, created, this.#policy);
      const owner = ownerAmong(equalRows, agreementOf);
      if (owner === undefined) continue;
      // The record may be reserved for a payment without being its evidence: a process ended right after the reservation, or the payment's
      // attempt turned out to have had no effect meanwhile.
      const namedRow = yield* this.#rows.ownerOfRecord(column, record, [created]);
      if (namedRow === undefined) owners.set(record, owner);
      else if (!isEvidenceOf(namedRow.data, column, record))
        owners.set(record, ownerOfRow(namedRow, equalRows.rows, agreementOf));
    }
    return owners;
  }

  /**
   * Stores evidence or, for a `contradicted` owner, a contradiction. Stores nothing when the payment no longer agrees, because an attempt
   * was removed meanwhile. `newId`: the identifier that the record may hold.
   */
  #store(
    { kind, row, agreementOf }: Extract<Owner, { row: Row }>,
    column: Column,
    id: string,
    result: StatusResult,
    newId?: unknown,
  ): Run<Row> {
    return this.#rows.change(row, (data, isTaken) => {
      if (kind === "contradicted") return withContradiction(data, column, id, result, paymentStateOf(data));
      if (isTaken || agreementOf(data) !== "yes") return undefined;
      const changedData = withEvidence(data, column, id, result);
      const hasNewId = typeof newId === "string" && missingEvidenceCount(changedData, "event") > 0;
      return hasNewId ? withEvidence(changedData, "event", newId, "open") : changedData;
    });
  }

  /**
   * Whether each side has a similar record that may belong to the payment. A payment has a record on every side: a similar record on only
   * one side does not belong to the payment.
   */
  *#hasSimilarOnAllSides(data: Data, sides: readonly Side[]): Run<boolean> {
    for (const side of sides) if (!(yield* this.#hasSimilar(data, side))) return false;
    return sides.length > 0;
  }

  *#hasSimilar(data: Data, { source: { column }, similarRecords }: Side): Run<boolean> {
    for (const record of similarRecords) {
      if (isEarlier(data, column, record, this.#policy.allowanceMs)) continue;
      if ((yield* this.#rows.ownerOfRecord(column, record)) === undefined) return true;
    }
    return false;
  }
}

/** Notes in `reading` what could not be read. */
function* readSide(
  source: Source,
  body: Values,
  months: readonly string[],
  reading: { -readonly [Name in keyof Reading]: Reading[Name] },
): Run<Side> {
  const matchingById = new Map<unknown, Values>();
  const similarById = new Map<unknown, Values>();
  let isUnreadable = true;
  for (const month of months) {
    const reply = yield* ask({ do: "history", operation: source.operation.id, user: source.user, month });
    if (reply.outcome === "read") {
      for (const record of reply.records) {
        if (agreementOfRecord(source, body, record) !== "no") matchingById.set(record.id, record);
        else if (isSimilar(source, body, record)) similarById.set(record.id, record);
      }
      reading.isWhole &&= reply.isWhole;
      isUnreadable = false;
    } else {
      reading.isWhole = false;
      // The service can refuse months before the account existed, and months that have not begun by the service's clock.
      if (isRefusal(reply)) continue;
      reading.isRead = false;
      reading.problem ??= reply.problem;
    }
  }
  return { source, records: [...matchingById.values()], similarRecords: [...similarById.values()], isUnreadable };
}

const isEvidenceOf = ({ evidence }: Data, column: Column, { id }: Values): boolean =>
  Object.hasOwn(evidence[column], id as string);

function hasTooManyNewRecords(owners: ReadonlyMap<Values, Owner>, { reference, data }: Row, column: Column): boolean {
  const ownedRecords = [...owners.values()].filter((owner) => "row" in owner && owner.row.reference === reference);
  return ownedRecords.length > missingEvidenceCount(data, column);
}

/** The P-code of a refusal is documented for the operation, and states that there was no effect. */
export const isRefusal = ({ outcome, problem }: FailedCall): boolean =>
  outcome === "refused" && problem.errorCode !== undefined && problem.documented === true;
