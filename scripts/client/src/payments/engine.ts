/** The engine decides when a payment is sent, looked up and repeated. `protocol.ts` describes how its generators are driven. */

import { isInEdition } from "../base/operation.ts";
import { resultOf } from "../helpers/statuses.ts";
import { Attribution, type Reading } from "./attribution.ts";
import { eventKeyOf, type Lookup } from "./matching.ts";
import {
  type Attempt,
  type Data,
  endLostAttempts,
  keyColumns,
  lastNumber,
  maxCallMs,
  newRow,
  openAttempts,
  paymentStateOf,
  type Row,
  toRow,
  wholeRequest,
  withEvidence,
} from "./payment.ts";
import type { Decision, Engine, Policy, PreparedPayment, Run } from "./protocol.ts";
import { ask, PaymentRows, toStored } from "./rows.ts";
import { createSender, type Step } from "./sending.ts";

/** The number of attempts after which `repeatAfter` no longer sends a payment. A person still can. */
const maxAttempts = 20;

export function createEngine(lookups: Readonly<Record<string, Lookup>>, policy: Policy): Engine {
  const rows = new PaymentRows(lookups);
  const attribution = new Attribution(rows, policy);
  const { sendAttempt, storeReason } = createSender(rows, policy);

  /**
   * Takes steps until one returns `end`, or `maxWaitMs` milliseconds have passed since the first wait between steps began. With 0, it does
   * not wait.
   *
   * @param startRow the payment as it was just read or written.
   */
  function* proceed(startRow: Row, maxWaitMs: number): Run<Row> {
    let waitStart: number | undefined;
    for (let [waitCount, latestRow] = [0, startRow]; ; latestRow = yield* rows.rowOf(startRow.reference)) {
      const { row, next } = yield* advance(latestRow);
      if (next === "end" || (next === "later" && maxWaitMs === 0)) return row;
      if (next === "again") continue;
      const steady = yield* ask({ do: "steady" });
      waitStart ??= steady;
      const remainingMs = waitStart + maxWaitMs - steady;
      if (remainingMs <= 0) return row;
      yield* ask({ do: "wait", ms: Math.min(250 * 2 ** waitCount, 15_000, remainingMs) });
      waitCount += 1;
    }
  }

  function* advance(row: Row): Run<Step> {
    const { now } = yield* ask({ do: "now" });
    const data = endLostAttempts(row.data, now, policy);
    const state = paymentStateOf(data);
    if (state === "accepted") return yield* findResult(row, data, now);
    if (state !== "pending" && state !== "unclear") return { row, next: "end" };
    if (isBeingSent(data)) return { row, next: "later" };
    return yield* lookOrSend(row, data, now);
  }

  /** Looks for the final state of an accepted payment. */
  function* findResult(row: Row, data: Data, now: number): Run<Step> {
    const { ends, open } = rows.lookupOf(data.operation);
    let latestRow = row;
    let isStatusListed = false;
    for (const [id, knownResult] of Object.entries(data.evidence.event)) {
      if (knownResult !== "open") continue;
      const reply = yield* ask({ do: "details", operation: data.operation, id });
      if (reply.outcome !== "read") continue;
      const { status } = reply.details;
      const result = resultOf(ends, status);
      // A missing or unlisted status decides nothing. In that case the history is read, whose records have statuses of their own.
      isStatusListed ||= result !== "open" || open.includes(status as string);
      if (result !== "open")
        latestRow = yield* rows.change(latestRow, (data) => withEvidence(data, "event", id, result));
    }
    // If there are other attempts, they may have had an effect too, which only the history shows.
    const isSingleAttempt = openAttempts(data).length < 2;
    if (isSingleAttempt && (isStatusListed || latestRow.state !== "accepted")) return { row: latestRow, next: "end" };
    return { row: (yield* attribution.attribute(latestRow, yield* attribution.read(data, now))).row, next: "end" };
  }

  /** Sends the payment when it was not sent or is to be repeated. */
  function* lookOrSend(startRow: Row, startData: Data, now: number): Run<Step> {
    const reading = yield* attribution.read(startData, now);
    // The history is read before the rows of equal payments. In the opposite order, the record of an equal payment that is sent between the
    // two reads could be attributed to this payment.
    const { row, isAmbiguous } = yield* attribution.attribute(startRow, reading);
    const data = endLostAttempts(row.data, now, policy);
    const state = paymentStateOf(data);
    if (state !== "pending" && state !== "unclear") return { row, next: "end" };
    // The payment has changed since its history was read.
    if (row.version !== startRow.version) return { row, next: "again" };
    if (state === "unclear") return yield* repeatOrWait(row, data, reading, isAmbiguous, now);
    if (reading.isRead) return yield* sendAttempt(row, data, reading);
    const reason = "The history could not be read: nothing was sent.";
    return { row: yield* storeReason(row, now, reason, reading.problem), next: "end" };
  }

  /** Sends an unclear payment again only when `repeatAfter` allows it. Otherwise stores why it is unclear. */
  function* repeatOrWait(row: Row, data: Data, reading: Reading, isAmbiguous: boolean, now: number): Run<Step> {
    const hasFailed = keyColumns.some((column) => Object.keys(data.evidence[column]).length > 0);
    const hasNoRecord = reading.isWhole && reading.sides.length > 0 && !isAmbiguous && !hasFailed;
    const { repeatAfterMs, allowanceMs } = policy;
    const elapsedMs = now - (data.attempts.at(-1) as Attempt).at;
    const isRepeatDue = repeatAfterMs !== null && elapsedMs > repeatAfterMs + maxCallMs(policy) + allowanceMs;
    if (hasNoRecord && isRepeatDue && data.attempts.length < maxAttempts) return yield* sendAttempt(row, data, reading);
    const unreadReason = reading.sides.length > 0 ? "unread" : "unseen";
    const reasonKey = isAmbiguous ? "several" : hasFailed ? "failed" : hasNoRecord ? "none" : unreadReason;
    return { row: yield* storeReason(row, now, reasons[reasonKey]), next: "later" };
  }

  return {
    *begin(payment) {
      const { reference, kind, operation } = payment;
      let storedPayment = yield* ask({ do: "read", reference });
      if (storedPayment === null) {
        const lookup = rows.lookupOf(operation);
        if (!isInEdition(policy.edition, lookup.operation))
          throw new TypeError(`${kind}: ${operation} needs a client of the edition ${lookup.operation.edition}.`);
        const { now } = yield* ask({ do: "now" });
        const row = toStored(newRow(payment, now, lookup));
        const outcome = yield* ask({ do: "write", payment: row });
        storedPayment = outcome === "written" ? row : toStored(yield* rows.rowOf(reference));
      }
      const { data, state } = toRow(storedPayment);
      const differingNames = differingMembers(data, payment);
      if (differingNames.length > 0)
        throw new TypeError(
          `${kind}: the payment with this reference was stored with another ${differingNames.join(", ")}. Give the same content.`,
        );
      if (state !== "pending" && state !== "unclear") return storedPayment;
      return toStored(yield* proceed(toRow(storedPayment), state === "pending" ? policy.lookForMs : 0));
    },

    *resume(reference) {
      return toStored(yield* proceed(yield* rows.rowOf(reference), 0));
    },

    *observe(webhook, event) {
      const operation = Object.keys(lookups).find((name) => lookups[name]?.webhook.name === webhook);
      if (operation === undefined) return null;
      const lookup = rows.lookupOf(operation);
      const id = event[lookup.webhook.id];
      if (typeof id !== "string") return null;
      const result = resultOf(lookup.ends, event.status);
      // A service can write the letters of a UUID in either case.
      for (const knownId of new Set([id, id.toLowerCase(), id.toUpperCase()])) {
        const owner = yield* rows.ownerOf(knownId);
        if (owner !== undefined)
          return toStored(yield* rows.change(owner, (data) => withEvidence(data, "event", knownId, result)));
      }
      if (policy.evidence === "identifiers") return null;
      let values = event;
      if (eventKeyOf(lookup, event) === null) {
        // The event of a failed payment may lack members that are compared, so the details are read.
        const reply = yield* ask({ do: "details", operation, id });
        if (reply.outcome === "read") values = reply.details;
      }
      const row = yield* attribution.attributeEvent(lookup, { id, result, values });
      return row === undefined ? null : toStored(row);
    },

    *decide(reference, decision, attempts) {
      const row = yield* rows.rowOf(reference);
      const { now } = yield* ask({ do: "now" });
      const decidedRow = yield* rows.change(row, (storedData) => {
        const data = endLostAttempts(storedData, now, policy);
        checkDecision(data, decision, attempts);
        return {
          ...data,
          decided: { decision, after: lastNumber(data.attempts) },
          reason: undefined,
          problem: undefined,
        };
      });
      return toStored(decision === "repeat" ? yield* proceed(decidedRow, policy.lookForMs) : decidedRow);
    },
  };
}

/** The names of the members in which a payment differs from the stored one; `content` for a payment of a former version. */
function differingMembers(data: Data, { kind, digests }: PreparedPayment): string[] {
  const isFormer = wholeRequest in data.digests;
  const names = Object.keys({ ...data.digests, ...digests }).filter((name) => isFormer === (name === wholeRequest));
  const differingNames = names.filter((name) => data.digests[name] !== digests[name]).map((name) => name || "content");
  return data.kind === kind ? differingNames : ["kind", ...differingNames];
}

/** @throws {TypeError} when nothing is to be decided, or the payment does not have the number of attempts that a person saw. */
function checkDecision(data: Data, decision: Decision, attempts: number | undefined): void {
  const state = paymentStateOf(data);
  const isDecisionAllowed =
    state === "unclear" ||
    (state === "pending" && !isBeingSent(data) && (decision === "abandon" || openAttempts(data).length > 0));
  if (!isDecisionAllowed) throw new TypeError(`decide: the payment is ${state}, and not unclear.`);
  if (attempts !== undefined && attempts !== data.attempts.length)
    throw new TypeError(
      `decide: the payment has ${data.attempts.length} attempts, and not ${attempts}: read it again.`,
    );
}

const isBeingSent = ({ attempts }: Data): boolean => attempts.some(({ outcome }) => outcome === "sending");

const reasons = {
  none: "The outcome is unknown: no record was found yet.",
  several: "The outcome is unknown: a record was found that may be of another payment.",
  failed: "An attempt failed, and nothing shows whether another had an effect.",
  unread: "The outcome is unknown: the history could not be read whole.",
  unseen: "The outcome is unknown: no history can be read.",
} as const;
