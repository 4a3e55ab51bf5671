/** A payment as its attempts and its evidence. Its state is derived from them, never set. */
import type { StatusResult } from "../statuses.ts";
import { eventKeyOf, isIban, type Lookup, recordKeyOf, sourcesOf } from "./matching.ts";
import type {
  Column,
  Decision,
  PaymentProblem,
  PaymentState,
  PreparedPayment,
  StoredPayment,
  Values,
} from "./protocol.ts";

/** An attempt of which nothing reached the service is removed. */
export interface Attempt {
  readonly number: number;
  /** The time of sending, in milliseconds since 1970. */
  readonly at: number;
  /** `sending`: the process that sends it has not stored an outcome. */
  readonly outcome: "sending" | "refused" | "unknown" | "accepted";
}

/** Two views of the same effects, which are compared and never added up: identifiers (`event`), and the records on each side. */
type Evidence = Readonly<Record<Column, Readonly<Record<string, StatusResult>>>>;

/** The ids of the newest records that matched or were similar before the first attempt. `from`: older matching records were left out. */
export interface EarlierRecords {
  readonly ids: readonly string[];
  readonly from: number | null;
}

/** Evidence against what was known of a payment. */
export interface Contradiction {
  /**
   * `record`: a record of a history. `identifier`: an identifier in a response, in an event or in details. `response`: the call of a payment
   * that a person has decided to have happened had no effect.
   */
  readonly evidence: "record" | "identifier" | "response";
  /** The id of the record, the identifier, or the P-code or kind of the error in the response. */
  readonly id: string;
  /** The result of the payment according to this evidence. */
  readonly result: StatusResult;
  /** The state of the payment before this evidence. */
  readonly state: PaymentState;
}

/** The content of `data` in a store. */
export interface Data {
  /** The version of this form. */
  readonly form: 2;
  readonly kind: string;
  readonly operation: string;
  /** The request. Once nothing more is sent, only the members that are compared with records and events. */
  readonly body: Values;
  readonly digests: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly attempts: readonly Attempt[];
  readonly before: Readonly<Partial<Record<Column, EarlierRecords>>>;
  readonly evidence: Evidence;
  readonly contradictions: readonly Contradiction[];
  /** The last decision, and the number of the last attempt before it: a later attempt carries `repeat` out. */
  readonly decided?: { readonly decision: Decision; readonly after: number };
  readonly reason?: string | undefined;
  readonly problem?: PaymentProblem | undefined;
}

export interface Row extends Omit<StoredPayment, "data"> {
  readonly data: Data;
}

/** A stored payment, without the data that only the engine needs. */
export interface Payment {
  readonly reference: string;
  readonly kind: string;
  readonly state: PaymentState;
  /** The identifier that the service gave, if known. */
  readonly id?: string;
  /** Number of times that the payment was sent, or may have been. */
  readonly attempts: number;
  readonly createdAt: Date;
  /** Time of the last sending. */
  readonly sentAt?: Date;
  /** Why the payment is in this state. */
  readonly reason?: string;
  /** Present when the payment was refused or could not be sent. */
  readonly problem?: PaymentProblem;
  /** The last manual decision. */
  readonly decided?: Decision;
  /** Evidence against what was known of the payment, such as a record of a refused one. A person has to look at it. */
  readonly contradictions: readonly Contradiction[];
}

export function dataOf(stored: StoredPayment): Data {
  const data = JSON.parse(stored.data) as Data;
  if (data.form === 2) return data;
  throw new TypeError(`The payment "${stored.reference}" was stored by another version of partner-wallet-api.`);
}

export const toRow = (stored: StoredPayment): Row => ({ ...stored, data: dataOf(stored) });

/** The view of a stored payment for the partner. */
export function toPayment(stored: StoredPayment): Payment {
  const { kind, attempts, createdAt, reason, problem, decided, contradictions, evidence } = dataOf(stored);
  const last = attempts.at(-1);
  return {
    ...{ reference: stored.reference, kind, state: stored.state, attempts: attempts.length, contradictions },
    createdAt: new Date(createdAt),
    ...(stored.id === null ? {} : { id: latestId(evidence) ?? stored.id }),
    ...(last === undefined ? {} : { sentAt: new Date(last.at) }),
    ...(reason === undefined ? {} : { reason }),
    ...(problem === undefined ? {} : { problem }),
    ...(decided === undefined ? {} : { decided: decided.decision }),
  };
}

/** The identifier of the attempt that succeeded or, if none has, of the last one that can. */
function latestId({ event }: Evidence): string | undefined {
  const ids = Object.entries(event);
  return (ids.find(([, result]) => result === "succeeded") ??
    ids.filter(([, result]) => result === "open").at(-1))?.[0];
}

export const columns: readonly Column[] = ["debit", "credit", "event"];

/**
 * The key in `column` that blocks equal payments while this one has `holds`; null if the column does not block. `event` blocks only if the
 * payment has no `debit` or `credit` key.
 */
export function blockingKey(payment: Pick<StoredPayment, Column>, column: Column): string | null {
  const isShown = column === "event" && (payment.debit ?? payment.credit) !== null;
  return isShown ? null : payment[column];
}

/** The attempts that may have had an effect. */
export const openAttempts = ({ attempts }: Data): Attempt[] => attempts.filter(({ outcome }) => outcome !== "refused");

/** The number of entries of `evidence` with this result, in the column that has the most of them. */
const most = ({ evidence }: Data, result: StatusResult): number =>
  Math.max(...columns.map((column) => Object.values(evidence[column]).filter((one) => one === result).length));

/** The number of entries of `evidence`, in the column that has the most of them. */
const seen = ({ evidence }: Data): number => Math.max(...columns.map((column) => Object.keys(evidence[column]).length));

export function stateOf(data: Data): PaymentState {
  const { attempts, decided } = data;
  const open = openAttempts(data);
  if (most(data, "succeeded") > 0) return "succeeded";
  if (open.length > 0 && most(data, "failed") >= open.length) return "failed";
  // An attempt that failed says nothing about another, which may have had an effect.
  const accepted = open.filter(({ outcome }) => outcome === "accepted").length;
  if (Math.max(accepted, seen(data)) > most(data, "failed")) return "accepted";
  if (decided?.decision === "happened" && (open.length > 0 || attempts.length === 0)) return "accepted";
  if (decided?.decision === "abandon") return "abandoned";
  if (attempts.some(({ outcome }) => outcome === "sending") || isToRepeat(data)) return "pending";
  if (open.length > 0) return "unclear";
  return attempts.length > 0 ? "refused" : "pending";
}

export const isToRepeat = ({ decided, attempts }: Data): boolean =>
  decided?.decision === "repeat" && lastNumber(attempts) <= decided.after;

/** The number of the last attempt; 0 if there is none. The count does not do: an attempt of which nothing was sent is removed later. */
export const lastNumber = (attempts: readonly Attempt[]): number => attempts.at(-1)?.number ?? 0;

/** How many more pieces of this kind of evidence can be of the payment. */
export const missingEvidence = (data: Data, column: Column): number =>
  openAttempts(data).length - Object.keys(data.evidence[column]).length;

/** A payment that was never sent. */
export function newRow(payment: PreparedPayment, createdAt: number, lookup: Lookup): Row {
  const { reference, kind, operation, body } = payment;
  // The digest of the whole request is only for payments of former versions.
  const { "": _, ...digests } = payment.digests;
  const evidence = { debit: {}, credit: {}, event: {} };
  const empty = { attempts: [], before: {}, evidence, contradictions: [] };
  const data: Data = { form: 2, kind, operation, body, digests, createdAt, ...empty };
  return derive({ reference, version: 0, id: null, holds: false, data }, lookup);
}

/** Fills the columns that follow from the data, and drops what is no longer needed. */
export function derive(row: Pick<Row, "reference" | "version" | "id" | "holds" | "data">, lookup: Lookup): Row {
  const state = stateOf(row.data);
  const mayBeSent = state === "pending" || state === "unclear";
  // One of several attempts can still fail, and the payment be repeated.
  const mayBeRepeated = mayBeSent || (state === "accepted" && openAttempts(row.data).length > 1);
  const data = mayBeRepeated ? row.data : { ...row.data, body: comparedMembers(row.data.body, lookup) };
  const isRefuted = state === "refused" || (state === "abandoned" && openAttempts(data).length === 0);
  const isSent = data.attempts.length > 0;
  const keyOf = (column: Column, key: string | null) =>
    isSent && (isRefuted || missingEvidence(data, column) > 0) ? key : null;
  const keys = keysOf(data, lookup);
  return {
    ...{ reference: row.reference, version: row.version + 1, id: row.id, state, isRefuted },
    isOpen: mayBeSent || state === "accepted",
    holds: row.holds && mayBeSent && openAttempts(data).length > 0,
    isContradicted: data.contradictions.length > 0,
    debit: keyOf("debit", keys.debit),
    credit: keyOf("credit", keys.credit),
    event: keyOf("event", keys.event),
    data,
  };
}

function keysOf({ body }: Data, lookup: Lookup): Record<Column, string | null> {
  const keys: Record<Column, string | null> = { debit: null, credit: null, event: eventKeyOf(lookup, body, true) };
  // The keys do not depend on the edition, because a store can contain payments of both editions.
  for (const source of sourcesOf(lookup, body, "test")) keys[source.column] = recordKeyOf(source, body);
  return keys;
}

function comparedMembers(body: Values, { records, webhook }: Lookup): Values {
  const compared = [webhook, ...records].flatMap(({ same, atLeast }) => Object.values({ ...same, ...atLeast }));
  const needed = [...compared, ...records.map(({ of }) => of)].filter((name) => name !== undefined && !isIban(name));
  return Object.fromEntries(Object.entries(body).filter(([name]) => needed.includes(name)));
}

/** Adds what was seen of one effect. A final result never changes: what contradicts it is kept beside it. */
export function withEvidence(data: Data, column: Column, id: string, result: StatusResult): Data {
  const before = data.evidence[column][id];
  const isNews = before === undefined || (before === "open" && result !== "open");
  const views = { ...data.evidence, [column]: { ...data.evidence[column], [id]: result } };
  const changed = isNews
    ? { ...data, evidence: views, reason: isToRepeat(data) ? tooLate : undefined, problem: undefined }
    : data;
  const was = stateOf(data);
  const [successes, failures] = [most(changed, "succeeded"), most(changed, "failed")];
  const isAgainst =
    (before !== undefined && before !== "open" && result !== "open" && result !== before) ||
    (before === undefined && (was === "abandoned" || was === "refused")) ||
    // Two views of the same effects: more results than attempts are a second effect, or money that was returned.
    (isNews && result !== "open" && (successes > 1 || successes + failures > openAttempts(changed).length));
  return isAgainst ? withContradiction(changed, column, id, result, was) : changed;
}

/** Compares evidence with attempts when one of them turns out to have had no effect: more evidence than attempts is a contradiction. */
export function recount(data: Data): Data {
  const open = openAttempts(data).length;
  const { decided, problem } = data;
  if (decided?.decision === "happened" && open === 0) {
    return withContradiction(data, "response", problem?.errorCode ?? problem?.kind ?? "not-sent", "failed", "accepted");
  }
  if (Math.max(seen(data), most(data, "succeeded") + most(data, "failed")) <= open) return data;
  const all = columns.flatMap((column) =>
    Object.entries(data.evidence[column]).map((one) => [column, ...one] as const),
  );
  const [column, id, result] = (all.filter(([, , one]) => one !== "open").at(-1) ?? all[0]) as (typeof all)[number];
  return withContradiction(data, column, id, result, stateOf(data));
}

export function withContradiction(
  data: Data,
  column: Column | "response",
  id: string,
  result: StatusResult,
  state: PaymentState,
): Data {
  const evidence = column === "response" ? column : column === "event" ? "identifier" : "record";
  const isKnown = data.contradictions.some((one) => one.id === id && one.result === result);
  if (isKnown || data.contradictions.length >= maxContradictions) return data;
  return { ...data, contradictions: [...data.contradictions, { evidence, id, result, state }] };
}

const maxContradictions = 20;

const tooLate = "It was found before it was repeated, so that it was not repeated.";
