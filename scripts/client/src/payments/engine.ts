/** The rules of payments. Nothing about money lies outside of these generators; `protocol.ts` says how they are driven. */
import { isIn } from "../operation.ts";
import { resultOf } from "../statuses.ts";
import { earlierRecords } from "./candidates.ts";
import { createEvidence, isRefusal, type Reading } from "./evidence.ts";
import { eventKeyOf, type Lookup } from "./matching.ts";
import {
  type Attempt,
  blockingKey,
  columns,
  type Data,
  derive,
  isToRepeat,
  lastNumber,
  newRow,
  openAttempts,
  type Row,
  recount,
  stateOf,
  toRow,
  withContradiction,
  withEvidence,
} from "./payment.ts";
import type { Engine, PaymentProblem, Policy, Run, Sent } from "./protocol.ts";
import { ask, Rows, toStored } from "./rows.ts";

/** `repeatAfter` does not send a payment more often; a person can. */
const maxAttempts = 20;

/** `again`: there is more to do at once. `later`: something outside has to change. */
interface Step {
  readonly row: Row;
  readonly next: "end" | "again" | "later";
}

export function createEngine(lookups: Readonly<Record<string, Lookup>>, policy: Policy): Engine {
  const rows = new Rows(lookups);
  const evidence = createEvidence(rows, policy);

  /**
   * Takes steps until the payment is final, or nothing can be done for it during `patienceMs`.
   *
   * @param start the payment as it was just read or written.
   */
  function* proceed(start: Row, patienceMs: number): Run<Row> {
    let startedAt: number | undefined;
    for (let [turn, latest] = [0, start]; ; latest = yield* rows.rowOf(start.reference)) {
      const { row, next } = yield* advance(latest);
      if (next === "end" || (next === "later" && patienceMs === 0)) return row;
      if (next === "again") continue;
      const steady = yield* ask({ do: "steady" });
      startedAt ??= steady;
      const remainingMs = startedAt + patienceMs - steady;
      if (remainingMs <= 0) return row;
      yield* ask({ do: "wait", ms: Math.min(250 * 2 ** turn, 15_000, remainingMs) });
      turn += 1;
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

  /** The attempts whose process has ended without storing an outcome may have had an effect: their outcome is unknown. */
  function endLostAttempts(data: Data, now: number): Data {
    const isLost = ({ at, outcome }: Attempt) => outcome === "sending" && now - at > policy.timeoutMs + policy.heldUpMs;
    if (!data.attempts.some(isLost)) return data;
    return { ...data, attempts: data.attempts.map((one) => (isLost(one) ? { ...one, outcome: "unknown" } : one)) };
  }

  /** Looks for the final state of an accepted payment. */
  function* findResult(row: Row, data: Data, now: number): Run<Step> {
    const { ends, open } = rows.lookupOf(data.operation);
    let latest = row;
    let isShown = false;
    for (const [id, seen] of Object.entries(data.evidence.event)) {
      if (seen !== "open") continue;
      const reply = yield* ask({ do: "details", operation: data.operation, id });
      if (reply.outcome !== "read") continue;
      const { status } = reply.details;
      const result = resultOf(ends, status);
      // A status that is not listed, or none, says nothing: the history has statuses of its own.
      isShown ||= result !== "open" || open.includes(status as string);
      if (result !== "open") latest = yield* rows.change(latest, (data) => withEvidence(data, "event", id, result));
    }
    // Another attempt can have had an effect too: only the history shows it.
    const isAlone = openAttempts(data).length < 2;
    if (isAlone && (isShown || latest.state !== "accepted")) return { row: latest, next: "end" };
    return { row: (yield* evidence.attribute(latest, yield* evidence.read(data, now))).row, next: "end" };
  }

  /** Looks for a payment in the history, and sends it when it was not sent or is to be repeated. */
  function* lookOrSend(start: Row, current: Data, now: number): Run<Step> {
    const reading = yield* evidence.read(current, now);
    // The history is read before the rows of equal payments. In the opposite order, the record of an equal payment that is sent between the
    // two reads could be attributed to this payment.
    const { row, isAmbiguous } = yield* evidence.attribute(start, reading);
    const data = endLostAttempts(row.data, now);
    const state = stateOf(data);
    if (state !== "pending" && state !== "unclear") return { row, next: "end" };
    // The payment has changed since its history was read.
    if (row.version !== start.version) return { row, next: "again" };
    const open = openAttempts(data);
    if (state === "pending" && (open.length === 0 || isToRepeat(data))) {
      if (reading.isRead) return yield* send(row, data, reading);
      const reason = "The history could not be read, so that nothing was sent.";
      return { row: yield* storeReason(row, now, reason, reading.problem), next: "end" };
    }
    const hasFailed = columns.some((column) => Object.keys(data.evidence[column]).length > 0);
    const isNone = reading.isWhole && reading.sides.length > 0 && !isAmbiguous && !hasFailed;
    const { repeatAfterMs, timeoutMs, heldUpMs, allowanceMs } = policy;
    const since = now - (data.attempts.at(-1) as Attempt).at;
    const isLate = repeatAfterMs !== null && since > repeatAfterMs + timeoutMs + heldUpMs + allowanceMs;
    if (isNone && isLate && data.attempts.length < maxAttempts) return yield* send(row, data, reading);
    const unread = reading.sides.length > 0 ? "unread" : "unseen";
    const reason = isAmbiguous ? "several" : hasFailed ? "failed" : isNone ? "none" : unread;
    return { row: yield* storeReason(row, now, reasons[reason]), next: "later" };
  }

  function storeReason(row: Row, now: number, reason: string, problem?: PaymentProblem): Run<Row> {
    return rows.change(row, (stored) => {
      const data = endLostAttempts(stored, now);
      const state = stateOf(data);
      const isStored = data === stored && stored.reason === reason;
      if (isStored || (state !== "pending" && state !== "unclear")) return undefined;
      return { ...data, reason, problem: problem ?? data.problem };
    });
  }

  function* send(row: Row, data: Data, reading: Reading): Run<Step> {
    const { now, steady } = yield* ask({ do: "now", isStamp: true });
    // Also later than a decision, whose last attempt can have been removed since.
    const number = Math.max(lastNumber(data.attempts), data.decided?.after ?? 0) + 1;
    const attempts = [...data.attempts, { number, at: now, outcome: "sending" as const }];
    const earlier = data.attempts.length > 0 ? data.before : earlierRecords(reading.sides, now, policy.allowanceMs);
    const next = derive(
      { ...row, holds: true, data: { ...data, attempts, before: earlier, reason: undefined, problem: undefined } },
      rows.lookupOf(data.operation),
    );
    const outcome = yield* ask({ do: "write", payment: toStored(next) });
    if (outcome === "changed") return { row, next: "again" };
    if (outcome === "taken") {
      const blocker = yield* blockerOf(next);
      const reason = `An equal payment is open${blocker === undefined ? "" : `: ${blocker}`}.`;
      return { row: yield* storeReason(row, now, reason), next: "later" };
    }
    // The last command before the call, so that a call never leaves long after the time that its attempt carries.
    const before = steady + policy.heldUpMs;
    const isHeldUp = (yield* ask({ do: "steady" })) > before;
    if (isHeldUp) {
      const reason = "The process was held up, so that nothing was sent.";
      return { row: yield* removeAttempt(next, number, reason), next: "end" };
    }
    return yield* storeReply(
      next,
      number,
      yield* ask({ do: "send", operation: data.operation, body: data.body, before }),
    );
  }

  /** The reference of the payment that keeps an equal one from being sent, unless there are too many equal ones. */
  function* blockerOf(row: Row): Run<string | undefined> {
    for (const column of columns) {
      const key = blockingKey(row, column);
      if (key === null) continue;
      const equal = yield* rows.equalRows(column, key);
      const isBlocker = (one: Row) => one.holds && one.reference !== row.reference && blockingKey(one, column) === key;
      const blocker = equal.rows.find(isBlocker);
      if (blocker !== undefined) return blocker.reference;
    }
    return undefined;
  }

  /** Removes an attempt that had no effect and says nothing about the payment. */
  function removeAttempt(row: Row, number: number, reason: string, problem?: PaymentProblem): Run<Row> {
    return rows.change(row, (data) => {
      const attempts = data.attempts.filter((one) => one.number !== number);
      return recount({ ...data, attempts, reason, problem });
    });
  }

  function* storeReply(row: Row, number: number, reply: Sent): Run<Step> {
    const withOutcome = (data: Data, outcome: Attempt["outcome"]): Data => ({
      ...data,
      attempts: data.attempts.map((one) => (one.number === number ? { ...one, outcome } : one)),
    });
    if (reply.outcome === "accepted") {
      const { id } = reply;
      const withId = (data: Data, isTaken: boolean): Data => {
        if (id === null) return data;
        // Another payment has the identifier, which can be of one payment only.
        if (isTaken) return withContradiction(data, "event", id, "open", stateOf(data));
        return withEvidence(data, "event", id, "open");
      };
      const accepted = yield* rows.change(row, (data, isTaken) => ({
        ...withOutcome(withId(data, isTaken), "accepted"),
        reason: undefined,
        problem: undefined,
      }));
      return { row: accepted, next: "end" };
    }
    const { problem } = reply;
    if (isRefusal(reply)) {
      const refused = yield* rows.change(row, (data) => recount({ ...withOutcome(data, "refused"), problem }));
      return { row: refused, next: refused.state === "refused" ? "end" : "again" };
    }
    // Such a call had no effect, and says nothing about the payment. Another status without a P-code can be that of a proxy, after the effect.
    const isGate = problem.errorCode === undefined && gateStatuses.includes(problem.status ?? 0);
    if (reply.outcome === "not-sent" || (reply.outcome === "refused" && isGate)) {
      const isInvalid = problem.kind === "invalid-request";
      const reason = isInvalid ? "The client refused the request: nothing was sent." : reasons[reply.outcome];
      return { row: yield* removeAttempt(row, number, reason, problem), next: "end" };
    }
    return { row: yield* rows.change(row, (data) => ({ ...withOutcome(data, "unknown"), problem })), next: "again" };
  }

  return {
    *begin(payment) {
      const { reference, kind, operation } = payment;
      let stored = yield* ask({ do: "read", reference });
      if (stored === null) {
        const lookup = rows.lookupOf(operation);
        if (!isIn(policy.edition, lookup.operation))
          throw new TypeError(`${kind}: ${operation} needs a client of the edition ${lookup.operation.edition}.`);
        const { now } = yield* ask({ do: "now" });
        const row = toStored(newRow(payment, now, lookup));
        const outcome = yield* ask({ do: "write", payment: row });
        stored = outcome === "written" ? row : toStored(yield* rows.rowOf(reference));
      }
      const { data, state } = toRow(stored);
      const names =
        "" in data.digests
          ? [""]
          : Object.keys({ ...data.digests, ...payment.digests, "": 0 }).filter((name) => name !== "");
      const differing = names.filter((name) => data.digests[name] !== payment.digests[name]);
      if (data.kind !== kind) differing.unshift("kind");
      if (differing.length > 0)
        throw new TypeError(
          `${kind}: the payment with this reference was stored with another ${differing.join(", ") || "content"}. Give the content that it was stored with.`,
        );
      if (state !== "pending" && state !== "unclear") return stored;
      return toStored(yield* proceed(toRow(stored), state === "pending" ? policy.lookForMs : 0));
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
      let shown = event;
      if (eventKeyOf(lookup, event, false) === null) {
        // The event of a failed payment may lack the members that are compared.
        const reply = yield* ask({ do: "details", operation, id });
        if (reply.outcome === "read") shown = reply.details;
      }
      const row = yield* evidence.attributeEvent(lookup, { id, result, shown });
      return row === undefined ? null : toStored(row);
    },

    *decide(reference, decision, attempts) {
      const row = yield* rows.rowOf(reference);
      const { now } = yield* ask({ do: "now" });
      const decided = yield* rows.change(row, (stored) => {
        const data = endLostAttempts(stored, now);
        const state = stateOf(data);
        const isWaiting = state === "pending" && !isBeingSent(data);
        const isPossible =
          state === "unclear" || (isWaiting && (decision === "abandon" || openAttempts(data).length > 0));
        if (!isPossible)
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
      return toStored(decision === "repeat" ? yield* proceed(decided, policy.lookForMs) : decided);
    },
  };
}

const isBeingSent = ({ attempts }: Data): boolean => attempts.some(({ outcome }) => outcome === "sending");

/** Statuses with which a call is refused before the payment is looked at. */
const gateStatuses = [401, 403, 404, 429];

const reasons = {
  "not-sent": "Nothing was sent.",
  refused: "The service did not take the call, such as with 401 or 429.",
  none: "The response was lost, and no record of the payment was found. It may still appear.",
  several: "The response was lost, and a record was found that may be of this payment or of another.",
  failed: "An attempt failed, and nothing shows whether another had an effect.",
  unread: "The response was lost, and the history could not be read whole.",
  unseen: "The response was lost, and no history can be read that would show the payment. Its event would.",
} as const;
