import { isRefusal, type Reading } from "./attribution.ts";
import { earlierRecords } from "./candidates.ts";
import {
  type Attempt,
  blockingKey,
  contradictSurplusEvidence,
  type Data,
  derive,
  keyColumns,
  lastNumber,
  paymentStateOf,
  type Row,
  withContradiction,
  withEvidence,
  withReason,
} from "./payment.ts";
import type { FailedCall, PaymentProblem, Policy, Run, SendReply } from "./protocol.ts";
import { ask, type PaymentRows, toStored } from "./rows.ts";

/** The payment after a step. `next`: whether the next step is taken at once (`again`), after a wait (`later`), or not (`end`). */
export interface Step {
  readonly row: Row;
  readonly next: "end" | "again" | "later";
}

export class Sender {
  readonly #rows: PaymentRows;
  readonly #policy: Policy;

  constructor(rows: PaymentRows, policy: Policy) {
    this.#rows = rows;
    this.#policy = policy;
  }

  /** @param reading the history as it was read before. */
  *sendAttempt(row: Row, data: Data, reading: Reading): Run<Step> {
    const { now, steady } = yield* ask({ do: "now", isStamp: true });
    // The new number is higher than the numbers of stored attempts, and than `decided.after`, whose attempt may have been removed since the
    // decision.
    const number = Math.max(lastNumber(data.attempts), data.decided?.after ?? 0) + 1;
    const attempts = [...data.attempts, { number, at: now, outcome: "sending" as const }];
    const recordsBefore =
      data.attempts.length > 0 ? data.before : earlierRecords(reading.sides, now, this.#policy.allowanceMs);
    const nextRow = derive(
      {
        ...row,
        holds: true,
        data: { ...data, attempts, before: recordsBefore, reason: undefined, problem: undefined },
      },
      this.#rows.lookupOf(data.operation),
    );
    const outcome = yield* ask({ do: "write", payment: toStored(nextRow) });
    if (outcome === "changed") return { row, next: "again" };
    if (outcome === "taken") {
      const blocker = yield* this.#blockerOf(nextRow);
      const reason = `An equal payment is open${blocker === undefined ? "" : `: ${blocker}`}.`;
      const waitingRow = yield* this.#rows.change(row, (data) => withReason(data, now, this.#policy, reason));
      return { row: waitingRow, next: "later" };
    }
    // The clock is read again directly before the call, so that no call is sent long after the time stored in its attempt.
    const deadline = steady + this.#policy.maxSendDelayMs;
    if ((yield* ask({ do: "steady" })) > deadline) {
      const reason = "The process was held up: nothing was sent.";
      return { row: yield* this.#removeAttempt(nextRow, number, reason), next: "end" };
    }
    return yield* this.#storeReply(
      nextRow,
      number,
      yield* ask({ do: "send", operation: data.operation, body: data.body, deadline }),
    );
  }

  /** Undefined when the equal payment is not found: it has ended meanwhile, or too many payments are equal. */
  *#blockerOf(row: Row): Run<string | undefined> {
    for (const column of keyColumns) {
      const key = blockingKey(row, column);
      if (key === null) continue;
      const equalRows = yield* this.#rows.equalRows(column, key);
      const isBlocker = (candidate: Row) =>
        candidate.holds && candidate.reference !== row.reference && blockingKey(candidate, column) === key;
      const blocker = equalRows.rows.find(isBlocker);
      if (blocker !== undefined) return blocker.reference;
    }
    return undefined;
  }

  /** The attempt had no effect and was not refused by the operation. */
  #removeAttempt(row: Row, number: number, reason: string, problem?: PaymentProblem): Run<Row> {
    return this.#rows.change(row, (data) => {
      const attempts = data.attempts.filter((attempt) => attempt.number !== number);
      return contradictSurplusEvidence({ ...data, attempts, reason, problem });
    });
  }

  *#storeReply(row: Row, number: number, reply: SendReply): Run<Step> {
    if (reply.outcome === "accepted") return { row: yield* this.#storeAcceptance(row, number, reply.id), next: "end" };
    const { problem } = reply;
    if (isRefusal(reply)) {
      const refusedRow = yield* this.#rows.change(row, (data) =>
        contradictSurplusEvidence({ ...withOutcome(data, number, "refused"), problem }),
      );
      return { row: refusedRow, next: "again" };
    }
    const reason = noEffectReason(reply);
    if (reason !== undefined) return { row: yield* this.#removeAttempt(row, number, reason, problem), next: "end" };
    return {
      row: yield* this.#rows.change(row, (data) => ({ ...withOutcome(data, number, "unknown"), problem })),
      next: "again",
    };
  }

  #storeAcceptance(row: Row, number: number, id: string | null): Run<Row> {
    const withId = (data: Data, isTaken: boolean): Data => {
      if (id === null) return data;
      // An identifier belongs to one payment only, and another payment already has this one.
      if (isTaken) return withContradiction(data, "event", id, "open", paymentStateOf(data));
      return withEvidence(data, "event", id, "open");
    };
    return this.#rows.change(row, (data, isTaken) => ({
      ...withOutcome(withId(data, isTaken), number, "accepted"),
      reason: undefined,
      problem: undefined,
    }));
  }
}

function withOutcome(data: Data, number: number, outcome: Attempt["outcome"]): Data {
  return {
    ...data,
    attempts: data.attempts.map((attempt) => (attempt.number === number ? { ...attempt, outcome } : attempt)),
  };
}

/** HTTP statuses that mean, without a P-code, that the call was refused before the service examined the payment. */
const statusesWithoutEffect = [401, 403, 404, 429];

/**
 * Why a call that the operation did not refuse had no effect; undefined if it may have had one. A status that is not listed above may come
 * from a proxy, after the service has carried out the call.
 */
function noEffectReason({ outcome, problem }: FailedCall): string | undefined {
  const isWithoutEffect = problem.errorCode === undefined && statusesWithoutEffect.includes(problem.status ?? 0);
  if (outcome === "refused" && isWithoutEffect) return "The service did not take the call.";
  if (outcome !== "not-sent") return undefined;
  return problem.kind === "invalid-request" ? "The client refused the request: nothing was sent." : "Nothing was sent.";
}
