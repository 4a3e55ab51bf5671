/** The rules of payments. Nothing about money lies outside of these generators; `protocol.ts` says how they are driven. */
import { isIn } from "../operation.ts";
import { resultOf } from "../statuses.ts";
import { ask, beforeOf, createEvidence, isRefusal, newest, type Reading, toStored } from "./evidence.ts";
import { eventKeyOf, type Lookup } from "./matching.ts";
import {
  type Attempt,
  columns,
  compared,
  type Data,
  derive,
  heldKey,
  isToRepeat,
  newRow,
  openAttempts,
  type Row,
  stateOf,
  toRow,
  withContradiction,
  withEvidence,
} from "./payment.ts";
import type { Engine, PaymentProblem, Policy, Run, Sent } from "./protocol.ts";

/** `repeatAfter` does not send a payment more often; a person can. */
const maxAttempts = 20;

/** `again`: there is more to do at once. `later`: something outside has to change. */
interface Step {
  readonly row: Row;
  readonly next: "end" | "again" | "later";
}

export function createEngine(lookups: Readonly<Record<string, Lookup>>, policy: Policy): Engine {
  const evidence = createEvidence(lookups, policy);
  const { lookupOf, known, ownerOf, change, contradict, equal, canMean, read, attribute } = evidence;

  /** @param read the payment as it was just read or written. */
  function* proceed(read: Row, patienceMs: number): Run<Row> {
    let began: number | undefined;
    for (let [turn, given] = [0, read]; ; given = yield* known(read.reference)) {
      const { row, next } = yield* advance(given);
      if (next === "end" || (next === "later" && patienceMs === 0)) return row;
      if (next === "again") continue;
      const steady = yield* ask({ do: "steady" });
      began ??= steady;
      const left = began + patienceMs - steady;
      if (left <= 0) return row;
      yield* ask({ do: "wait", ms: Math.min(250 * 2 ** turn, 15_000, left) });
      turn += 1;
    }
  }

  function* advance(row: Row): Run<Step> {
    const { now } = yield* ask({ do: "now" });
    const data = withEnded(row.data, now);
    const state = stateOf(data);
    if (state === "accepted") return yield* finish(row, data, now);
    if (state !== "pending" && state !== "unclear") return { row, next: "end" };
    if (data.attempts.some(({ outcome }) => outcome === "sending")) return { row, next: "later" };
    return yield* look(row, data, now);
  }

  /** An attempt whose process must have ended without storing an outcome may have had an effect. */
  function withEnded(data: Data, now: number): Data {
    const isOver = ({ at, outcome }: Attempt) => outcome === "sending" && now - at > policy.timeoutMs + policy.heldUpMs;
    if (!data.attempts.some(isOver)) return data;
    return { ...data, attempts: data.attempts.map((one) => (isOver(one) ? { ...one, outcome: "unknown" } : one)) };
  }

  /** Looks for the final state of an accepted payment. */
  function* finish(row: Row, data: Data, now: number): Run<Step> {
    const { ends, open } = lookupOf(data.operation);
    let latest = row;
    let isShown = false;
    for (const [id, known] of Object.entries(data.evidence.event)) {
      if (known !== "open") continue;
      const reply = yield* ask({ do: "details", operation: data.operation, id });
      if (reply.outcome !== "read") continue;
      const { status } = reply.details;
      const result = resultOf(ends, status);
      // A status that is not listed, or none, says nothing: the history has statuses of its own.
      isShown ||= result !== "open" || open.includes(status as string);
      if (result !== "open") latest = yield* change(latest, (data) => withEvidence(data, "event", id, result));
    }
    if (isShown || latest.state !== "accepted") return { row: latest, next: "end" };
    return { row: (yield* attribute(latest, data, yield* read(data, now))).row, next: "end" };
  }

  /** Looks for a payment in the history, and sends it when it was not sent or is to be repeated. */
  function* look(given: Row, ended: Data, now: number): Run<Step> {
    const reading = yield* read(ended, now);
    // First the history, then the rows of equal payments: a record that appears between the two would be given to the wrong one.
    const { row, isAmbiguous } = yield* attribute(given, ended, reading);
    const data = withEnded(row.data, now);
    const state = stateOf(data);
    if (state !== "pending" && state !== "unclear") return { row, next: "end" };
    // What was read is older than the payment.
    if (row.version !== given.version) return { row, next: "again" };
    const open = openAttempts(data);
    if (state === "pending" && (open.length === 0 || isToRepeat(data))) {
      if (reading.isRead) return yield* send(row, data, reading);
      const { problem } = reading;
      const left = yield* explain(row, now, "The history could not be read, so that nothing was sent.", problem);
      return { row: left, next: "end" };
    }
    const hasFailed = columns.some((column) => Object.keys(data.evidence[column]).length > 0);
    const isNone = reading.isWhole && reading.sides.length > 0 && !isAmbiguous && !hasFailed;
    const { repeatAfterMs, timeoutMs, heldUpMs, allowanceMs } = policy;
    const since = now - (data.attempts.at(-1) as Attempt).at;
    const isLate = repeatAfterMs !== null && since > repeatAfterMs + timeoutMs + heldUpMs + allowanceMs;
    if (isNone && isLate && data.attempts.length < maxAttempts) return yield* send(row, data, reading);
    const unread = reading.sides.length > 0 ? "unread" : "unseen";
    const reason = isAmbiguous ? "several" : hasFailed ? "failed" : isNone ? "none" : unread;
    return { row: yield* explain(row, now, reasons[reason]), next: "later" };
  }

  function explain(row: Row, now: number, reason: string, problem?: PaymentProblem): Run<Row> {
    return change(row, (stored) => {
      const data = withEnded(stored, now);
      const state = stateOf(data);
      const isKnown = data === stored && stored.reason === reason;
      if (isKnown || (state !== "pending" && state !== "unclear")) return undefined;
      return { ...data, reason, problem: problem ?? data.problem };
    });
  }

  function* send(row: Row, data: Data, reading: Reading): Run<Step> {
    const { now, steady } = yield* ask({ do: "now", isStamp: true });
    const number = (data.attempts.at(-1)?.number ?? 0) + 1;
    const attempts = [...data.attempts, { number, at: now, outcome: "sending" as const }];
    const before = data.attempts.length > 0 ? data.before : beforeOf(reading, now, policy.allowanceMs);
    const next = derive(
      { ...row, holds: true, data: { ...data, attempts, before, reason: undefined, problem: undefined } },
      lookupOf(data.operation),
    );
    const outcome = yield* ask({ do: "write", payment: toStored(next) });
    if (outcome === "changed") return { row, next: "again" };
    if (outcome === "taken") {
      const blocker = yield* holderOf(next);
      if (blocker === undefined) return { row, next: "again" };
      return { row: yield* explain(row, now, `An equal payment is open: ${blocker}.`), next: "later" };
    }
    // Between the reading of the time and the call, so that a call never leaves long after the time that its attempt carries.
    const isHeldUp = (yield* ask({ do: "steady" })) - steady > policy.heldUpMs;
    if (isHeldUp)
      return { row: yield* leave(next, number, "The process was held up, so that nothing was sent."), next: "end" };
    return yield* answer(next, number, yield* ask({ do: "send", operation: data.operation, body: data.body }));
  }

  function* holderOf(row: Row): Run<string | undefined> {
    for (const column of columns) {
      const key = heldKey(row, column);
      if (key === null) continue;
      const { rows } = yield* equal(column, key);
      const holder = rows.find((one) => one.holds && one.reference !== row.reference && heldKey(one, column) === key);
      if (holder !== undefined) return holder.reference;
    }
    return undefined;
  }

  /** Ends an attempt of which nothing had an effect, and which says nothing about the payment. */
  function leave(row: Row, number: number, reason: string, problem?: PaymentProblem): Run<Row> {
    return change(row, (data) => {
      const attempts = data.attempts.filter((one) => one.number !== number);
      return compared({ ...data, attempts, reason, problem });
    });
  }

  function* answer(row: Row, number: number, reply: Sent): Run<Step> {
    const ended = (data: Data, outcome: Attempt["outcome"]): Data => ({
      ...data,
      attempts: data.attempts.map((one) => (one.number === number ? { ...one, outcome } : one)),
    });
    if (reply.outcome === "accepted") {
      const { id } = reply;
      const accepted = yield* change(row, (data, isTaken) => {
        const now = { ...ended(data, "accepted"), reason: undefined, problem: undefined };
        if (id === null) return now;
        // Another payment has the identifier: what the service says cannot be of both.
        return isTaken
          ? withContradiction(now, "event", id, "open", stateOf(data))
          : withEvidence(now, "event", id, "open");
      });
      return { row: accepted, next: "end" };
    }
    const { problem } = reply;
    if (isRefusal(reply)) {
      const refused = yield* change(row, (data) => compared({ ...ended(data, "refused"), problem }));
      return { row: refused, next: refused.state === "refused" ? "end" : "again" };
    }
    // These had no effect and say nothing about the payment. Another status without a P-code can be that of a gateway, after the effect.
    const isGate = problem.errorCode === undefined && gateStatuses.includes(problem.status ?? 0);
    if (reply.outcome === "not-sent" || (reply.outcome === "refused" && isGate)) {
      const isInvalid = problem.kind === "invalid-request";
      const reason = isInvalid ? "The client refused the request: nothing was sent." : reasons[reply.outcome];
      return { row: yield* leave(row, number, reason, problem), next: "end" };
    }
    return { row: yield* change(row, (data) => ({ ...ended(data, "unknown"), problem })), next: "again" };
  }

  return {
    *begin(payment) {
      const { reference, kind, operation } = payment;
      let stored = yield* ask({ do: "read", reference });
      if (stored === null) {
        const lookup = lookupOf(operation);
        if (!isIn(policy.edition, lookup.operation))
          throw new TypeError(`${kind}: ${operation} needs a client of the edition ${lookup.operation.edition}.`);
        const { now } = yield* ask({ do: "now" });
        const row = toStored(newRow(payment, now, lookup));
        const outcome = yield* ask({ do: "write", payment: row });
        stored = outcome === "written" ? row : toStored(yield* known(reference));
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
      return toStored(yield* proceed(yield* known(reference), 0));
    },

    *observe(webhook, event) {
      const operation = Object.keys(lookups).find((name) => lookups[name]?.webhook.name === webhook);
      if (operation === undefined) return null;
      const lookup = lookupOf(operation);
      const id = event[lookup.webhook.id];
      if (typeof id !== "string") return null;
      const result = resultOf(lookup.ends, event.status);
      const owner = yield* ownerOf(id);
      if (owner !== undefined) return toStored(yield* change(owner, (data) => withEvidence(data, "event", id, result)));
      if (policy.evidence === "identifiers") return null;
      let shown = event;
      if (eventKeyOf(lookup, event, false) === null) {
        // The event of a failed payment may lack the members that are compared.
        const reply = yield* ask({ do: "details", operation, id });
        if (reply.outcome === "read") shown = reply.details;
      }
      const key = eventKeyOf(lookup, shown, false);
      if (key === null) return null;
      const { rows, isMore } = yield* equal("event", key);
      const isOf = ({ data }: Row) => canMean(data, lookupOf(data.operation).webhook, shown, lookup.created) === "yes";
      const meant = rows.filter(isOf);
      const [only, ...others] = meant.filter(({ isRefuted }) => !isRefuted);
      if (others.length > 0 || isMore) return null;
      if (only !== undefined && only.state !== "abandoned") {
        return toStored(
          yield* change(only, (data, isTaken) => (isTaken ? undefined : withEvidence(data, "event", id, result))),
        );
      }
      const refuted = only ?? newest(meant);
      return refuted === undefined ? null : toStored(yield* contradict(refuted, "event", id, result));
    },

    *decide(reference, decision) {
      const row = yield* known(reference);
      const { now } = yield* ask({ do: "now" });
      const decided = yield* change(row, (stored) => {
        const data = withEnded(stored, now);
        const state = stateOf(data);
        const isWaiting = state === "pending" && !data.attempts.some(({ outcome }) => outcome === "sending");
        const isPossible =
          state === "unclear" || (isWaiting && (decision === "abandon" || openAttempts(data).length > 0));
        if (!isPossible)
          throw new TypeError(`decide: the payment is ${state}, and not unclear: there is nothing to decide.`);
        return {
          ...data,
          decided: { decision, attempts: data.attempts.length },
          reason: undefined,
          problem: undefined,
        };
      });
      return toStored(decision === "repeat" ? yield* proceed(decided, policy.lookForMs) : decided);
    },
  };
}

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
