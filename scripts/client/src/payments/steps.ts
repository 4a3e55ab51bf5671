import { resultOf } from "../helpers/statuses.ts";
import type { Attribution, Reading } from "./attribution.ts";
import {
  type Attempt,
  type Data,
  endLostAttempts,
  isBeingSent,
  keyColumns,
  maxCallMs,
  openAttempts,
  paymentStateOf,
  type Row,
  withEvidence,
  withReason,
} from "./payment.ts";
import type { Policy, Run } from "./protocol.ts";
import { ask, type PaymentRows } from "./rows.ts";
import { Sender, type Step } from "./sending.ts";

/** The number of attempts after which `repeatAfter` no longer sends a payment. A person still can. */
const maxAttempts = 20;

/** Continues a stored payment: sends it, looks for it, or reads its final state. */
export class Steps {
  readonly #rows: PaymentRows;
  readonly #attribution: Attribution;
  readonly #policy: Policy;
  readonly #sender: Sender;

  constructor(rows: PaymentRows, attribution: Attribution, policy: Policy) {
    this.#rows = rows;
    this.#attribution = attribution;
    this.#policy = policy;
    this.#sender = new Sender(rows, policy);
  }

  /**
   * Takes steps until one returns `end`, or `maxWaitMs` milliseconds have passed since the first wait between steps began. With 0, it does
   * not wait.
   *
   * @param startRow the payment as it was just read or written.
   */
  *proceed(startRow: Row, maxWaitMs: number): Run<Row> {
    let waitStart: number | undefined;
    for (let [waitCount, latestRow] = [0, startRow]; ; latestRow = yield* this.#rows.rowOf(startRow.reference)) {
      const { row, next } = yield* this.#advance(latestRow);
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

  *#advance(row: Row): Run<Step> {
    const { now } = yield* ask({ do: "now" });
    const data = endLostAttempts(row.data, now, this.#policy);
    const state = paymentStateOf(data);
    if (state === "accepted") return yield* this.#findResult(row, data, now);
    if (state !== "pending" && state !== "unclear") return { row, next: "end" };
    if (isBeingSent(data)) return { row, next: "later" };
    return yield* this.#lookOrSend(row, data, now);
  }

  /** Looks for the final state of an accepted payment. */
  *#findResult(row: Row, data: Data, now: number): Run<Step> {
    const { ends, open } = this.#rows.lookupOf(data.operation);
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
        latestRow = yield* this.#rows.change(latestRow, (data) => withEvidence(data, "event", id, result));
    }
    // If there are other attempts, they may have had an effect too, which only the history shows.
    const isSingleAttempt = openAttempts(data).length < 2;
    if (isSingleAttempt && (isStatusListed || latestRow.state !== "accepted")) return { row: latestRow, next: "end" };
    return {
      row: (yield* this.#attribution.attribute(latestRow, yield* this.#attribution.read(data, now))).row,
      next: "end",
    };
  }

  /** Sends the payment when it was not sent or is to be repeated. */
  *#lookOrSend(startRow: Row, startData: Data, now: number): Run<Step> {
    const reading = yield* this.#attribution.read(startData, now);
    // The history is read before the rows of equal payments. In the opposite order, the record of an equal payment that is sent between the
    // two reads could be attributed to this payment.
    const { row, isAmbiguous } = yield* this.#attribution.attribute(startRow, reading);
    const data = endLostAttempts(row.data, now, this.#policy);
    const state = paymentStateOf(data);
    if (state !== "pending" && state !== "unclear") return { row, next: "end" };
    // The payment has changed since its history was read.
    if (row.version !== startRow.version) return { row, next: "again" };
    if (state === "unclear") return yield* this.#repeatOrWait(row, data, reading, isAmbiguous, now);
    if (reading.isRead) return yield* this.#sender.sendAttempt(row, data, reading);
    const reason = "The history could not be read: nothing was sent.";
    const unreadRow = yield* this.#rows.change(row, (data) =>
      withReason(data, now, this.#policy, reason, reading.problem),
    );
    return { row: unreadRow, next: "end" };
  }

  /** Sends an unclear payment again only when `repeatAfter` allows it. Otherwise stores why it is unclear. */
  *#repeatOrWait(row: Row, data: Data, reading: Reading, isAmbiguous: boolean, now: number): Run<Step> {
    // In the state `unclear`, evidence shows a failed attempt.
    const hasEvidence = keyColumns.some((column) => Object.keys(data.evidence[column]).length > 0);
    const hasNoRecord = reading.isWhole && reading.sides.length > 0 && !isAmbiguous && !hasEvidence;
    const { repeatAfterMs, allowanceMs } = this.#policy;
    const elapsedMs = now - (data.attempts.at(-1) as Attempt).at;
    const isRepeatDue = repeatAfterMs !== null && elapsedMs > repeatAfterMs + maxCallMs(this.#policy) + allowanceMs;
    if (hasNoRecord && isRepeatDue && data.attempts.length < maxAttempts)
      return yield* this.#sender.sendAttempt(row, data, reading);
    const unreadReason = reading.sides.length > 0 ? "unread" : "unseen";
    const reasonKey = isAmbiguous ? "several" : hasEvidence ? "failed" : hasNoRecord ? "none" : unreadReason;
    const waitingRow = yield* this.#rows.change(row, (data) => withReason(data, now, this.#policy, reasons[reasonKey]));
    return { row: waitingRow, next: "later" };
  }
}

const reasons = {
  none: "The outcome is unknown: no record was found yet.",
  several: "The outcome is unknown: a record was found that may be of another payment.",
  failed: "An attempt failed, and nothing shows whether another had an effect.",
  unread: "The outcome is unknown: the history could not be read whole.",
  unseen: "The outcome is unknown: no history can be read.",
} as const;
