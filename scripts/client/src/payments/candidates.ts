/** Which stored payments a record or an event can be of. */
import { type Agreement, agrees, type Lookup, matchesRecord, type Source, timeOf } from "./matching.ts";
import { type Data, type EarlierRecords, missingEvidence, openAttempts, type Row, stateOf } from "./payment.ts";
import type { Column, Policy, Values } from "./protocol.ts";
import type { EqualRows } from "./rows.ts";

const maxEarlier = 20;

/**
 * Whether a record or an event can be of a payment. `unsure`: the comparison says so, a record can have been there before the payment was
 * sent, or the time is later than that of any call of the payment.
 *
 * @param idMember the member of a record that may hold the identifier of the payment.
 */
export function matchOf(
  data: Data,
  comparison: Source | Lookup["webhook"],
  shown: Values,
  idMember: string,
  { allowanceMs, timeoutMs, heldUpMs }: Policy,
): Agreement {
  const isRecord = "column" in comparison;
  const column = isRecord ? comparison.column : "event";
  const isRefused = openAttempts(data).length === 0;
  if (!isRefused && missingEvidence(data, column) <= 0) return "no";
  const agreement = isRecord ? matchesRecord(comparison, data.body, shown) : agrees(comparison, data.body, shown);
  if (agreement === "no" || isEarlier(data, column, shown, allowanceMs)) return "no";
  // While a payment is pending, late evidence counts too: it must win over a repeat that a person has decided.
  const isLate = timeOf(shown) > lastSentAt(data) + timeoutMs + heldUpMs + allowanceMs;
  if (isLate && stateOf(data) !== "pending") return "unsure";
  if (!isRecord || agreement === "unsure") return agreement;
  const id = shown[idMember];
  const isOfAnother =
    typeof id === "string" && !Object.hasOwn(data.evidence.event, id) && missingEvidence(data, "event") === 0;
  if (isOfAnother && !isRefused) return "no";
  return timeOf(shown) >= (data.before[column]?.from ?? Number.NEGATIVE_INFINITY) ? "yes" : "unsure";
}

/** Whether a record or an event is older than a payment. */
export function isEarlier(data: Data, column: Column, shown: Values, allowanceMs: number): boolean {
  const first = (openAttempts(data)[0] ?? data.attempts[0])?.at ?? Number.POSITIVE_INFINITY;
  if (timeOf(shown) < first - allowanceMs) return true;
  return data.before[column]?.ids.includes(shown.id as string) === true;
}

/** The records of one side of a payment in the months that were read. */
export interface Side {
  readonly source: Source;
  /** The records that match the request. */
  readonly records: readonly Values[];
  /** The records of the same side and currency that do not match: they may be of the payment all the same. */
  readonly similar: readonly Values[];
  /** Whether no month could be read. */
  readonly isBlind: boolean;
}

/** The newest records that are there before the payment is sent: they cannot be of it. */
export function earlierRecords(sides: readonly Side[], now: number, allowanceMs: number): Data["before"] {
  const before: Partial<Record<Column, EarlierRecords>> = {};
  for (const { source, records, similar, isBlind } of sides) {
    const recent = (all: readonly Values[]) =>
      all.filter((one) => !(timeOf(one) < now - allowanceMs)).sort((a, b) => timeOf(b) - timeOf(a) || 0);
    const matching = recent(records);
    const listed = [...matching.slice(0, maxEarlier), ...recent(similar).slice(0, maxEarlier)];
    const ids = listed.map(({ id }) => String(id));
    const oldest = matching.length > maxEarlier ? timeOf(matching[maxEarlier - 1] as Values) : null;
    if (isBlind) before[source.column] = { ids, from: now + allowanceMs };
    else if (ids.length > 0) before[source.column] = { ids, from: oldest };
  }
  return before;
}

/** The payment that a record or an event belongs to. */
export type Owner =
  | { readonly is: "nobody" }
  /** Several payments can be meant, or one that need not be. Not all are listed when there are many. */
  | { readonly is: "ambiguous"; readonly candidates: readonly Row[] }
  | { readonly is: "found"; readonly row: Row }
  /** A refused or abandoned payment: the record or the event is evidence against what is known of it. */
  | { readonly is: "contradicted"; readonly row: Row };

/** Chooses the owner among payments with an equal key. Refused payments are considered only when no other can be meant. */
export function ownerAmong({ rows, isMore }: EqualRows, agreementWith: (data: Data) => Agreement): Owner {
  const matching = rows.filter(({ data }) => agreementWith(data) !== "no");
  const candidates = matching.filter(({ isRefuted }) => !isRefuted);
  if (isMore || candidates.length > 1) return { is: "ambiguous", candidates };
  const [only] = candidates;
  if (only !== undefined) {
    const isSure = agreementWith(only.data) === "yes" || only.state === "abandoned";
    return isSure ? asOwner(only) : { is: "ambiguous", candidates };
  }
  const refuted = matching.sort((a, b) => lastSentAt(a.data) - lastSentAt(b.data)).at(-1);
  return refuted === undefined ? { is: "nobody" } : { is: "contradicted", row: refuted };
}

export const asOwner = (row: Row): Owner => ({ is: row.state === "abandoned" ? "contradicted" : "found", row });

const lastSentAt = ({ attempts }: Data): number => attempts.at(-1)?.at ?? 0;
