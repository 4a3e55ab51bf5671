/** The engine decides when a payment is sent, looked up and repeated. `protocol.ts` describes how its generators are driven. */
import { isInEdition } from "../operation.ts";
import { resultOf } from "../statuses.ts";
import { earlierRecords } from "./candidates.ts";
import { createEvidence, isRefusal, type Reading } from "./evidence.ts";
import { eventKeyOf, type Lookup } from "./matching.ts";
import {
  type Attempt,
  blockingKey,
  checkEvidenceCount,
  columns,
  type Data,
  derive,
  lastNumber,
  newRow,
  openAttempts,
  type Row,
  stateOf,
  toRow,
  withContradiction,
  withEvidence,
} from "./payment.ts";
import type { Engine, PaymentProblem, Policy, Run, SendReply } from "./protocol.ts";
import { ask, PaymentRows, toStored } from "./rows.ts";

/** The number of attempts after which `repeatAfter` no longer sends a payment. A person still can. */
const maxAttempts = 20;

/** The payment after a step. `next`: whether the next step is taken at once (`again`), after a wait (`later`), or not (`end`). */
interface Step {
  readonly row: Row;
  readonly next: "end" | "again" | "later";
}

export function createEngine(lookups: Readonly<Record<string, Lookup>>, policy: Policy): Engine {
  const rows = new PaymentRows(lookups);
  const evidence = createEvidence(rows, policy);

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
    const data = endLostAttempts(row.data, now);
    const state = stateOf(data);
    if (state === "accepted") return yield* findResult(row, data, now);
    if (state !== "pending" && state !== "unclear") return { row, next: "end" };
    if (isBeingSent(data)) return { row, next: "later" };
    return yield* lookOrSend(row, data, now);
  }

  /** Sets `unknown` for each attempt that has been `sending` longer than a call takes: its process ended without storing an outcome. */
  function endLostAttempts(data: Data, now: number): Data {
    const isLost = ({ at, outcome }: Attempt) =>
      outcome === "sending" && now - at > policy.timeoutMs + policy.maxSendDelayMs;
    if (!data.attempts.some(isLost)) return data;
    return { ...data, attempts: data.attempts.map((one) => (isLost(one) ? { ...one, outcome: "unknown" } : one)) };
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
      // A missing or unlisted status decides nothing: the history is read, which has other statuses.
      isStatusListed ||= result !== "open" || open.includes(status as string);
      if (result !== "open")
        latestRow = yield* rows.change(latestRow, (data) => withEvidence(data, "event", id, result));
    }
    // If there are other attempts, they may have had an effect too, which only the history shows.
    const isSingleAttempt = openAttempts(data).length < 2;
    if (isSingleAttempt && (isStatusListed || latestRow.state !== "accepted")) return { row: latestRow, next: "end" };
    return { row: (yield* evidence.attribute(latestRow, yield* evidence.read(data, now))).row, next: "end" };
  }

  /** Looks for a payment in the history, and sends it when it was not sent or is to be repeated. */
  function* lookOrSend(startRow: Row, startData: Data, now: number): Run<Step> {
    const reading = yield* evidence.read(startData, now);
    // The history is read before the rows of equal payments. In the opposite order, the record of an equal payment that is sent between the
    // two reads could be attributed to this payment.
    const { row, isAmbiguous } = yield* evidence.attribute(startRow, reading);
    const data = endLostAttempts(row.data, now);
    const state = stateOf(data);
    if (state !== "pending" && state !== "unclear") return { row, next: "end" };
    // The payment has changed since its history was read.
    if (row.version !== startRow.version) return { row, next: "again" };
    if (state === "pending") {
      if (reading.isRead) return yield* send(row, data, reading);
      const reason = "The history could not be read, so that nothing was sent.";
      return { row: yield* storeReason(row, now, reason, reading.problem), next: "end" };
    }
    const hasFailed = columns.some((column) => Object.keys(data.evidence[column]).length > 0);
    const hasNoRecord = reading.isWhole && reading.sides.length > 0 && !isAmbiguous && !hasFailed;
    const { repeatAfterMs, timeoutMs, maxSendDelayMs, allowanceMs } = policy;
    const elapsedMs = now - (data.attempts.at(-1) as Attempt).at;
    const isRepeatDue = repeatAfterMs !== null && elapsedMs > repeatAfterMs + timeoutMs + maxSendDelayMs + allowanceMs;
    if (hasNoRecord && isRepeatDue && data.attempts.length < maxAttempts) return yield* send(row, data, reading);
    const unreadReason = reading.sides.length > 0 ? "unread" : "unseen";
    const reasonKey = isAmbiguous ? "several" : hasFailed ? "failed" : hasNoRecord ? "none" : unreadReason;
    return { row: yield* storeReason(row, now, reasons[reasonKey]), next: "later" };
  }

  function storeReason(row: Row, now: number, reason: string, problem?: PaymentProblem): Run<Row> {
    return rows.change(row, (storedData) => {
      const data = endLostAttempts(storedData, now);
      const state = stateOf(data);
      const isUnchanged = data === storedData && storedData.reason === reason;
      if (isUnchanged || (state !== "pending" && state !== "unclear")) return undefined;
      return { ...data, reason, problem: problem ?? data.problem };
    });
  }

  function* send(row: Row, data: Data, reading: Reading): Run<Step> {
    const { now, steady } = yield* ask({ do: "now", isStamp: true });
    // The new number is higher than that of every stored attempt, and than `decided.after`: the attempt with that number may have been
    // removed since the decision.
    const number = Math.max(lastNumber(data.attempts), data.decided?.after ?? 0) + 1;
    const attempts = [...data.attempts, { number, at: now, outcome: "sending" as const }];
    const recordsBefore =
      data.attempts.length > 0 ? data.before : earlierRecords(reading.sides, now, policy.allowanceMs);
    const nextRow = derive(
      {
        ...row,
        holds: true,
        data: { ...data, attempts, before: recordsBefore, reason: undefined, problem: undefined },
      },
      rows.lookupOf(data.operation),
    );
    const outcome = yield* ask({ do: "write", payment: toStored(nextRow) });
    if (outcome === "changed") return { row, next: "again" };
    if (outcome === "taken") {
      const blocker = yield* blockerOf(nextRow);
      const reason = `An equal payment is open${blocker === undefined ? "" : `: ${blocker}`}.`;
      return { row: yield* storeReason(row, now, reason), next: "later" };
    }
    // The clock is read again directly before the call, so that no call is sent long after the time stored in its attempt.
    const deadline = steady + policy.maxSendDelayMs;
    const isDelayed = (yield* ask({ do: "steady" })) > deadline;
    if (isDelayed) {
      const reason = "The process was held up, so that nothing was sent.";
      return { row: yield* removeAttempt(nextRow, number, reason), next: "end" };
    }
    return yield* storeReply(
      nextRow,
      number,
      yield* ask({ do: "send", operation: data.operation, body: data.body, deadline }),
    );
  }

  /**
   * The reference of the equal payment that prevents a payment from being sent; undefined when it is not found: it has ended meanwhile, or
   * too many payments are equal.
   */
  function* blockerOf(row: Row): Run<string | undefined> {
    for (const column of columns) {
      const key = blockingKey(row, column);
      if (key === null) continue;
      const equalRows = yield* rows.equalRows(column, key);
      const isBlocker = (one: Row) => one.holds && one.reference !== row.reference && blockingKey(one, column) === key;
      const blocker = equalRows.rows.find(isBlocker);
      if (blocker !== undefined) return blocker.reference;
    }
    return undefined;
  }

  /** Removes an attempt that had no effect and was not refused by the operation. */
  function removeAttempt(row: Row, number: number, reason: string, problem?: PaymentProblem): Run<Row> {
    return rows.change(row, (data) => {
      const attempts = data.attempts.filter((one) => one.number !== number);
      return checkEvidenceCount({ ...data, attempts, reason, problem });
    });
  }

  function* storeReply(row: Row, number: number, reply: SendReply): Run<Step> {
    const withOutcome = (data: Data, outcome: Attempt["outcome"]): Data => ({
      ...data,
      attempts: data.attempts.map((one) => (one.number === number ? { ...one, outcome } : one)),
    });
    if (reply.outcome === "accepted") {
      const { id } = reply;
      const withId = (data: Data, isTaken: boolean): Data => {
        if (id === null) return data;
        // An identifier belongs to one payment only, and another payment already has this one.
        if (isTaken) return withContradiction(data, "event", id, "open", stateOf(data));
        return withEvidence(data, "event", id, "open");
      };
      const acceptedRow = yield* rows.change(row, (data, isTaken) => ({
        ...withOutcome(withId(data, isTaken), "accepted"),
        reason: undefined,
        problem: undefined,
      }));
      return { row: acceptedRow, next: "end" };
    }
    const { problem } = reply;
    if (isRefusal(reply)) {
      const refusedRow = yield* rows.change(row, (data) =>
        checkEvidenceCount({ ...withOutcome(data, "refused"), problem }),
      );
      return { row: refusedRow, next: "again" };
    }
    // A call with one of these statuses had no effect. Any other status without a P-code may come from a proxy, after the service has
    // carried out the call.
    const isWithoutEffect = problem.errorCode === undefined && statusesWithoutEffect.includes(problem.status ?? 0);
    if (reply.outcome === "not-sent" || (reply.outcome === "refused" && isWithoutEffect)) {
      const isInvalid = problem.kind === "invalid-request";
      const reason = isInvalid ? "The client refused the request: nothing was sent." : reasons[reply.outcome];
      return { row: yield* removeAttempt(row, number, reason, problem), next: "end" };
    }
    return { row: yield* rows.change(row, (data) => ({ ...withOutcome(data, "unknown"), problem })), next: "again" };
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
      const digestNames =
        "" in data.digests
          ? [""]
          : Object.keys({ ...data.digests, ...payment.digests, "": 0 }).filter((name) => name !== "");
      const differingNames = digestNames.filter((name) => data.digests[name] !== payment.digests[name]);
      if (data.kind !== kind) differingNames.unshift("kind");
      if (differingNames.length > 0)
        throw new TypeError(
          `${kind}: the payment with this reference was stored with another ${differingNames.join(", ") || "content"}. Give the content that it was stored with.`,
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
      const owner = yield* rows.ownerOf(id);
      if (owner !== undefined) {
        return toStored(yield* rows.change(owner, (data) => withEvidence(data, "event", id, result)));
      }
      if (policy.evidence === "identifiers") return null;
      let values = event;
      if (eventKeyOf(lookup, event, false) === null) {
        // The event of a failed payment may lack compared members: the details have them.
        const reply = yield* ask({ do: "details", operation, id });
        if (reply.outcome === "read") values = reply.details;
      }
      const row = yield* evidence.attributeEvent(lookup, { id, result, values });
      return row === undefined ? null : toStored(row);
    },

    *decide(reference, decision, attempts) {
      const row = yield* rows.rowOf(reference);
      const { now } = yield* ask({ do: "now" });
      const decidedRow = yield* rows.change(row, (storedData) => {
        const data = endLostAttempts(storedData, now);
        const state = stateOf(data);
        const isWaiting = state === "pending" && !isBeingSent(data);
        const isDecisionAllowed =
          state === "unclear" || (isWaiting && (decision === "abandon" || openAttempts(data).length > 0));
        if (!isDecisionAllowed)
          throw new TypeError(`decide: the payment is ${state}, and not unclear: there is nothing to decide.`);
        if (attempts !== undefined && attempts !== data.attempts.length)
          throw new TypeError(
            `decide: the payment has ${data.attempts.length} attempts, and not ${attempts}: read it again.`,
          );
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

const isBeingSent = ({ attempts }: Data): boolean => attempts.some(({ outcome }) => outcome === "sending");

/** HTTP statuses with which a call is refused before the service examines the payment. */
const statusesWithoutEffect = [401, 403, 404, 429];

const reasons = {
  "not-sent": "Nothing was sent.",
  refused: "The service did not take the call, such as with 401 or 429.",
  none: "The response was lost, and no record of the payment was found. It may still appear.",
  several: "The response was lost, and a record was found that may be of this payment or of another.",
  failed: "An attempt failed, and nothing shows whether another had an effect.",
  unread: "The response was lost, and the history could not be read whole.",
  unseen: "The response was lost, and no history can be read that would show the payment. Its event would.",
} as const;
