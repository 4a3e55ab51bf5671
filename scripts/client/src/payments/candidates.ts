/** Candidates are the stored payments that a record or an event may belong to. */
import { type Agreement, agreementOfRecord, agreementWith, type Lookup, type Source, timeOf } from "./matching.ts";
import {
  type Attempt,
  type Data,
  type EarlierRecords,
  isToRepeat,
  maxCallMs,
  missingEvidenceCount,
  openAttempts,
  type Row,
} from "./payment.ts";
import type { Column, Policy, Values } from "./protocol.ts";
import type { EqualRows } from "./rows.ts";

const maxListedRecords = 20;

/**
 * How a record or an event agrees with a payment, by its members and its time: `unsure` also for a record that may be older than the first
 * attempt, and for a time at which no attempt can have had an effect.
 *
 * @param idMember the member of a record that may hold the identifier of the payment.
 * @param arrivedAt when an event arrived, in milliseconds since 1970. It counts if the event does not say when it was made.
 */
export function matchOf(
  data: Data,
  comparison: Source | Lookup["webhook"],
  recordOrEvent: Values,
  idMember: string,
  policy: Policy,
  arrivedAt = 0,
): Agreement {
  const { allowanceMs } = policy;
  const id = recordOrEvent[idMember];
  if (typeof id === "string" && Object.hasOwn(data.evidence.event, id)) return "yes";
  const isRecord = "column" in comparison;
  const column = isRecord ? comparison.column : "event";
  const agreement = isRecord
    ? agreementOfRecord(comparison, data.body, recordOrEvent)
    : agreementWith(comparison.compared, data.body, recordOrEvent);
  if (agreement === "no" || isEarlier(data, column, recordOrEvent, allowanceMs)) return "no";
  const time = timeOf(recordOrEvent);
  const isOfAttempt = ({ at }: Attempt) =>
    !(time < at - allowanceMs) && !((time || arrivedAt) > at + maxCallMs(policy) + allowanceMs);
  // Before a repeat that a person decided, evidence of any time counts, so that the repeat is not sent.
  if (!openAttempts(data).some(isOfAttempt) && !isToRepeat(data)) return "unsure";
  if (!isRecord || agreement === "unsure") return agreement;
  const isOfAnotherPayment =
    typeof id === "string" && missingEvidenceCount(data, "event") === 0 && openAttempts(data).length > 0;
  if (isOfAnotherPayment) return "no";
  return time >= (data.before[column]?.from ?? -Infinity) ? "yes" : "unsure";
}

/**
 * Whether a record or an event existed before the payment's first attempt that may have had an effect: by its time, or because it was read
 * before that attempt.
 */
export function isEarlier(data: Data, column: Column, recordOrEvent: Values, allowanceMs: number): boolean {
  const firstAttemptAt = (openAttempts(data)[0] ?? data.attempts[0])?.at ?? Infinity;
  if (timeOf(recordOrEvent) < firstAttemptAt - allowanceMs) return true;
  return data.before[column]?.ids.includes(recordOrEvent.id as string) === true;
}

/** The records of one side of a payment in the months that were read. */
export interface Side {
  readonly source: Source;
  /** The records that match the request. */
  readonly records: readonly Values[];
  /** The other records with the same sign and currency, which may still belong to the payment. */
  readonly similarRecords: readonly Values[];
  /** Whether no month could be read. */
  readonly isUnreadable: boolean;
}

/** The newest records that exist before a payment is first sent, and so cannot belong to it. `now` is in milliseconds since 1970. */
export function earlierRecords(sides: readonly Side[], now: number, allowanceMs: number): Data["before"] {
  const recordsBefore: Partial<Record<Column, EarlierRecords>> = {};
  for (const { source, records, similarRecords, isUnreadable } of sides) {
    const recentOf = (records: readonly Values[]) =>
      records.filter((record) => !(timeOf(record) < now - allowanceMs)).sort((a, b) => timeOf(b) - timeOf(a));
    const matchingRecords = recentOf(records);
    const listedRecords = [
      ...matchingRecords.slice(0, maxListedRecords),
      ...recentOf(similarRecords).slice(0, maxListedRecords),
    ];
    const oldestListedTime =
      matchingRecords.length > maxListedRecords ? timeOf(matchingRecords[maxListedRecords - 1] as Values) : null;
    recordsBefore[source.column] = {
      ids: listedRecords.map(({ id }) => String(id)),
      from: isUnreadable ? now + allowanceMs : oldestListedTime,
    };
  }
  return recordsBefore;
}

export type Owner =
  /** There are several candidates, or one that is unsure. When there are many, not all are listed. */
  | { readonly kind: "ambiguous"; readonly candidates: readonly Row[] }
  /** `contradicted`: a refused or abandoned payment, whose state the record or the event contradicts. */
  | { readonly kind: "found" | "contradicted"; readonly row: Row; readonly agreementOf: AgreementOf };

/** Compares a payment with the record or event whose owner is sought. */
type AgreementOf = (data: Data) => Agreement;

/**
 * Chooses the owner among payments with an equal key; undefined when none of `rows` matches and there are no more. A refuted payment is
 * chosen only when no other payment matches.
 */
export function ownerAmong({ rows, hasMore }: EqualRows, agreementOf: AgreementOf): Owner | undefined {
  const matchingRows = rows.filter(({ data }) => agreementOf(data) !== "no");
  const candidates = matchingRows.filter(({ isRefuted }) => !isRefuted);
  if (hasMore || candidates.length > 1) return { kind: "ambiguous", candidates };
  const [onlyRow] = candidates;
  if (onlyRow !== undefined) return ownerOfRow(onlyRow, candidates, agreementOf);
  const lastRefuted = matchingRows.sort((a, b) => lastSentAt(a.data) - lastSentAt(b.data)).at(-1);
  return lastRefuted && { kind: "contradicted", row: lastRefuted, agreementOf };
}

/** @param candidates the possible owners when nothing shows that `row` is the owner. */
export function ownerOfRow(row: Row, candidates: readonly Row[], agreementOf: AgreementOf): Owner {
  const isAbandoned = row.state === "abandoned";
  if (!isAbandoned && agreementOf(row.data) !== "yes") return { kind: "ambiguous", candidates };
  return { kind: isAbandoned ? "contradicted" : "found", row, agreementOf };
}

const lastSentAt = ({ attempts }: Data): number => attempts.at(-1)?.at ?? 0;
