/** The state of a payment is derived from its attempts, its evidence and the last decision of a person. It is never set. */
import type { StatusResult } from "../helpers/statuses.ts";
import { type Lookup, recordKeyOf, requestKeyOf, sourcesOf } from "./matching.ts";
import type {
  Column,
  Decision,
  PaymentProblem,
  PaymentState,
  Policy,
  PreparedPayment,
  StoredPayment,
  Values,
} from "./protocol.ts";

/**
 * A call that makes the payment. An attempt that was not sent, or was refused before the service examined the payment (such as with 401),
 * is removed.
 */
export interface Attempt {
  readonly number: number;
  /** The time at which the attempt was stored, directly before it was sent, in milliseconds since 1970. */
  readonly at: number;
  /** `sending`: no outcome is stored yet. */
  readonly outcome: "sending" | "refused" | "unknown" | "accepted";
}

/** The name of the digest of a whole request. Only payments of former versions store it, and they store no other digest. */
export const wholeRequest = "";

/** Results by identifier (`event`) and by record id (`debit`, `credit`). The columns show the same effects: their counts are not added. */
type ResultsByColumn = Readonly<Record<Column, Readonly<Record<string, StatusResult>>>>;

/**
 * The ids of the newest matching or similar records before the first attempt. `from`: matching records before this time can be missing in
 * the list; null if none is missing.
 */
export interface EarlierRecords {
  readonly ids: readonly string[];
  readonly from: number | null;
}

/** Evidence that contradicts the state of a payment, a decision or other evidence. */
export interface Contradiction {
  /**
   * `record`: a record of a history. `identifier`: an identifier in a response, an event or details. `response`: a person decided
   * `happened`, and then the response to the last call showed that the call had no effect, or the call was not sent.
   */
  readonly evidence: "record" | "identifier" | "response";
  /** The id of the record, the identifier, or the P-code or kind of the error in the response (`not-sent` without an error). */
  readonly id: string;
  /** The result of the payment according to this evidence. */
  readonly result: StatusResult;
  /** The state of the payment before this evidence. */
  readonly state: PaymentState;
}

/** The content of `data` in a store. */
export interface Data {
  /** The version of this format. */
  readonly form: 2;
  readonly kind: string;
  readonly operation: string;
  /**
   * The request body. Once the payment can no longer be sent, it contains only the members from which records and events are recognised,
   * without an IBAN.
   */
  readonly body: Values;
  readonly digests: Readonly<Record<string, string>>;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
  readonly attempts: readonly Attempt[];
  readonly before: Readonly<Partial<Record<Column, EarlierRecords>>>;
  readonly evidence: ResultsByColumn;
  readonly contradictions: readonly Contradiction[];
  /** The last decision. `after`: the number of the last attempt before it. A `repeat` is carried out by the next attempt. */
  readonly decided?: { readonly decision: Decision; readonly after: number };
  readonly reason?: string | undefined;
  readonly problem?: PaymentProblem | undefined;
}

export interface Row extends Omit<StoredPayment, "data"> {
  readonly data: Data;
}

/** A stored payment, as the partner sees it. */
export interface Payment {
  readonly reference: string;
  readonly kind: string;
  readonly state: PaymentState;
  /** The identifier that the service gave, if known. */
  readonly id?: string;
  /** The number of times that the payment was or may have been sent. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** The time of the last attempt. */
  readonly sentAt?: Date;
  /** Why the payment is in this state, if there is more to say than the state. */
  readonly reason?: string;
  /** The error of the last call that failed, until the payment is sent again, evidence of it is found, or a person decides. */
  readonly problem?: PaymentProblem;
  /** The last manual decision. */
  readonly decided?: Decision;
  /**
   * Evidence that contradicts the payment's state, a decision or other evidence, such as a record of a refused payment. At most 20. A
   * person has to examine it.
   */
  readonly contradictions: readonly Contradiction[];
}

export function dataOf(storedPayment: StoredPayment): Data {
  const data = JSON.parse(storedPayment.data) as Data;
  if (data.form === 2) return data;
  throw new TypeError(`The payment "${storedPayment.reference}" was stored by another version of partner-wallet-api.`);
}

export const toRow = (storedPayment: StoredPayment): Row => ({ ...storedPayment, data: dataOf(storedPayment) });

export function toPayment(storedPayment: StoredPayment): Payment {
  const { kind, attempts, createdAt, reason, problem, decided, contradictions, evidence } = dataOf(storedPayment);
  const lastAttempt = attempts.at(-1);
  return {
    reference: storedPayment.reference,
    kind,
    state: storedPayment.state,
    attempts: attempts.length,
    contradictions,
    createdAt: new Date(createdAt),
    ...(storedPayment.id === null ? {} : { id: latestId(evidence) ?? storedPayment.id }),
    ...(lastAttempt === undefined ? {} : { sentAt: new Date(lastAttempt.at) }),
    ...(reason === undefined ? {} : { reason }),
    ...(problem === undefined ? {} : { problem }),
    ...(decided === undefined ? {} : { decided: decided.decision }),
  };
}

/** The identifier with the result `succeeded` or, without one, the last with the result `open`; undefined if there is neither. */
function latestId({ event }: ResultsByColumn): string | undefined {
  const ids = Object.entries(event);
  return (ids.find(([, result]) => result === "succeeded") ??
    ids.filter(([, result]) => result === "open").at(-1))?.[0];
}

const recordColumns: readonly Column[] = ["debit", "credit"];
export const keyColumns: readonly Column[] = [...recordColumns, "event"];

/**
 * The key in `column` that prevents equal payments from being sent while `payment` has `holds`; null if there is none. The key in `event`
 * counts only if the payment has no `debit` and no `credit` key.
 */
export function blockingKey(payment: Pick<StoredPayment, Column>, column: Column): string | null {
  const isCoveredByRecords = column === "event" && (payment.debit ?? payment.credit) !== null;
  return isCoveredByRecords ? null : payment[column];
}

/** Attempts that may have had an effect. */
export const openAttempts = ({ attempts }: Data): Attempt[] => attempts.filter(({ outcome }) => outcome !== "refused");

/** The number of entries with this result, in the counted column of `evidence` that has the most of them. */
const countResults = ({ evidence }: Data, result: StatusResult, countedColumns = keyColumns): number =>
  Math.max(...countedColumns.map((column) => Object.values(evidence[column]).filter((one) => one === result).length));

/** The number of entries in the longest column of `evidence`. */
const countEvidence = ({ evidence }: Data): number =>
  Math.max(...keyColumns.map((column) => Object.keys(evidence[column]).length));

/** The longest time from an attempt's `at` to the end of its call, in milliseconds. */
export const maxCallMs = ({ timeoutMs, maxSendDelayMs }: Policy): number => timeoutMs + maxSendDelayMs;

/** Sets `unknown` for each attempt that has been `sending` longer than a call takes: its process ended without storing an outcome. */
export function endLostAttempts(data: Data, now: number, policy: Policy): Data {
  const isLost = ({ at, outcome }: Attempt) => outcome === "sending" && now - at > maxCallMs(policy);
  if (!data.attempts.some(isLost)) return data;
  return {
    ...data,
    attempts: data.attempts.map((attempt) => (isLost(attempt) ? { ...attempt, outcome: "unknown" } : attempt)),
  };
}

export function paymentStateOf(data: Data): PaymentState {
  const { attempts, decided } = data;
  const openCount = openAttempts(data).length;
  if (countResults(data, "succeeded") > 0) return "succeeded";
  if (openCount > 0 && countResults(data, "failed") >= openCount) return "failed";
  // If one attempt has failed, another may still have had an effect.
  const acceptedCount = attempts.filter(({ outcome }) => outcome === "accepted").length;
  if (Math.max(acceptedCount, countEvidence(data)) > countResults(data, "failed")) return "accepted";
  if (decided?.decision === "happened" && (openCount > 0 || attempts.length === 0)) return "accepted";
  if (decided?.decision === "abandon") return "abandoned";
  if (isBeingSent(data) || isToRepeat(data)) return "pending";
  if (openCount > 0) return "unclear";
  return attempts.length > 0 ? "refused" : "pending";
}

export const isBeingSent = ({ attempts }: Data): boolean => attempts.some(({ outcome }) => outcome === "sending");

export const isToRepeat = ({ decided, attempts }: Data): boolean =>
  decided?.decision === "repeat" && lastNumber(attempts) <= decided.after;

/** The number of the last attempt; 0 if there is none. It can be higher than the count, because attempts that were not sent are removed. */
export const lastNumber = (attempts: readonly Attempt[]): number => attempts.at(-1)?.number ?? 0;

/** The number of further records or events in `column` that can belong to the payment; negative when it has too many. */
export const missingEvidenceCount = (data: Data, column: Column): number =>
  openAttempts(data).length - Object.keys(data.evidence[column]).length;

/** The payment was never sent. `createdAt` is in milliseconds since 1970. */
export function newRow(payment: PreparedPayment, createdAt: number, lookup: Lookup): Row {
  const { reference, kind, operation, body } = payment;
  const { [wholeRequest]: _, ...digests } = payment.digests;
  const evidence = { debit: {}, credit: {}, event: {} };
  const emptyLists = { attempts: [], before: {}, evidence, contradictions: [] };
  const data: Data = { form: 2, kind, operation, body, digests, createdAt, ...emptyLists };
  return derive({ reference, version: 0, id: null, holds: false, data }, lookup);
}

/** The columns follow from `data`. Members of the body that are no longer needed are removed. */
export function derive(row: Pick<Row, "reference" | "version" | "id" | "holds" | "data">, lookup: Lookup): Row {
  const state = paymentStateOf(row.data);
  const mayBeSent = state === "pending" || state === "unclear";
  // With several attempts, an accepted one can still fail, after which the payment can be repeated.
  const mayBeRepeated = mayBeSent || (state === "accepted" && openAttempts(row.data).length > 1);
  const data = mayBeRepeated ? row.data : { ...row.data, body: comparedMembers(row.data.body, lookup) };
  const isRefuted = state === "refused" || (state === "abandoned" && openAttempts(data).length === 0);
  const isSent = data.attempts.length > 0;
  const keyIfNeeded = (column: Column, key: string | null) =>
    isSent && (isRefuted || missingEvidenceCount(data, column) > 0) ? key : null;
  const keys = keysOf(data, lookup);
  return {
    reference: row.reference,
    version: row.version + 1,
    id: row.id,
    state,
    isRefuted,
    isOpen: mayBeSent || state === "accepted",
    holds: row.holds && mayBeSent,
    isContradicted: data.contradictions.length > 0,
    debit: keyIfNeeded("debit", keys.debit),
    credit: keyIfNeeded("credit", keys.credit),
    event: keyIfNeeded("event", keys.event),
    data,
  };
}

function keysOf({ body }: Data, lookup: Lookup): Record<Column, string | null> {
  const keys: Record<Column, string | null> = { debit: null, credit: null, event: requestKeyOf(lookup, body) };
  // The keys do not depend on the edition, because a store can contain payments of both editions.
  for (const source of sourcesOf(lookup, body, "test")) keys[source.column] = recordKeyOf(source, body);
  return keys;
}

function comparedMembers(body: Values, { records, webhook }: Lookup): Values {
  const comparedNames = [webhook, ...records].flatMap(({ compared }) =>
    compared.flatMap(([, member, kind]) => (kind === "iban" ? [] : [member])),
  );
  const neededNames = new Set([...comparedNames, ...records.map(({ of }) => of)]);
  return Object.fromEntries(Object.entries(body).filter(([name]) => neededNames.has(name)));
}

/** A final result never changes: a later result that contradicts it is added as a contradiction. */
export function withEvidence(data: Data, column: Column, id: string, result: StatusResult): Data {
  const resultBefore = data.evidence[column][id];
  const isNew = resultBefore === undefined || (resultBefore === "open" && result !== "open");
  const nextEvidence = { ...data.evidence, [column]: { ...data.evidence[column], [id]: result } };
  const changedData = isNew
    ? { ...data, evidence: nextEvidence, reason: isToRepeat(data) ? foundBeforeRepeat : undefined, problem: undefined }
    : data;
  const stateBefore = paymentStateOf(data);
  const isOtherResult = !isNew && result !== "open" && result !== resultBefore;
  const isAfterEnd = resultBefore === undefined && (stateBefore === "abandoned" || stateBefore === "refused");
  const isSurplus = isNew && (isToRepeat(data) || (result !== "open" && hasSurplusResults(changedData)));
  const isContradiction = isOtherResult || isAfterEnd || isSurplus;
  return isContradiction ? withContradiction(changedData, column, id, result, stateBefore) : changedData;
}

/** A second success, or more final results than attempts, shows a second effect or a returned payment. */
function hasSurplusResults(data: Data): boolean {
  const [successCount, failureCount] = [countResults(data, "succeeded"), countResults(data, "failed")];
  return successCount > 1 || successCount + failureCount > openAttempts(data).length || mayBeReturned(data);
}

/** Whether the payment may have been returned: an identifier has failed without a failed record, and may have a successful record. */
function mayBeReturned(data: Data): boolean {
  const failureCount = countResults(data, "failed", ["event"]);
  const otherCount = Object.keys(data.evidence.event).length - failureCount;
  const [successes, failures] = [
    countResults(data, "succeeded", recordColumns),
    countResults(data, "failed", recordColumns),
  ];
  return failureCount > failures && successes > otherCount;
}

/**
 * Called when an attempt turned out to have had no effect. Adds a contradiction if the other attempts do not explain the evidence of the
 * payment, or a person's decision `happened`.
 */
export function contradictSurplusEvidence(data: Data): Data {
  const openCount = openAttempts(data).length;
  const { decided, problem } = data;
  if (decided?.decision === "happened" && openCount === 0) {
    return withContradiction(data, "response", problem?.errorCode ?? problem?.kind ?? "not-sent", "failed", "accepted");
  }
  if (Math.max(countEvidence(data), countResults(data, "succeeded") + countResults(data, "failed")) <= openCount)
    return data;
  const entries = keyColumns.flatMap((column) =>
    Object.entries(data.evidence[column]).map((entry) => [column, ...entry] as const),
  );
  const [column, id, result] = (entries.filter(([, , one]) => one !== "open").at(-1) ??
    entries[0]) as (typeof entries)[number];
  return withContradiction(data, column, id, result, paymentStateOf(data));
}

/** Unchanged if the payment is no longer `pending` or `unclear`, or the reason is stored already. */
export function withReason(
  storedData: Data,
  now: number,
  policy: Policy,
  reason: string,
  problem?: PaymentProblem,
): Data {
  const data = endLostAttempts(storedData, now, policy);
  const state = paymentStateOf(data);
  if (state !== "pending" && state !== "unclear") return storedData;
  const isUnchanged = data === storedData && data.reason === reason;
  return isUnchanged ? data : { ...data, reason, problem: problem ?? data.problem };
}

export function withContradiction(
  data: Data,
  column: Column | "response",
  id: string,
  result: StatusResult,
  state: PaymentState,
): Data {
  const evidence = column === "response" ? column : column === "event" ? "identifier" : "record";
  const isKnown = data.contradictions.some(
    (contradiction) => contradiction.id === id && contradiction.result === result,
  );
  if (isKnown || data.contradictions.length >= maxContradictions) return data;
  return { ...data, contradictions: [...data.contradictions, { evidence, id, result, state }] };
}

const maxContradictions = 20;

const foundBeforeRepeat = "It was found before it was repeated.";
