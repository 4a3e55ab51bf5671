/** A claim that is kept while an event is being handled. */
import { longestTimerMs } from "../../deadline.ts";
import type { DedupeStore } from "./store.ts";

/** A claim that this process holds. */
export interface Lease {
  readonly token: string;
  /** Marks the event as handled, with repetitions for minutes if the store fails. Never rejects. */
  complete(): Promise<void>;
  /** Removes the claim, if it is still held. Never rejects. */
  release(): Promise<void>;
}

/** The longest time that a store may take to answer, in milliseconds. */
const patienceMs = 10_000;

/** The longest time between two attempts to mark an event as handled, and the time after which no other is made. */
const [longestPauseMs, markingMs] = [5_000, 10 * 60_000];

/** How long the store of a claim may take to answer. A claim that arrives later than it holds is worth nothing. */
export function patienceFor({ claimMs }: DedupeStore): number {
  return Math.min(claimMs, patienceMs);
}

/**
 * Keeps a claim: extends it every third of its duration until it is completed, released or lost.
 *
 * @param claimedAt when the claim was sent to the store, by `performance.now()`. The claim is taken for lost when no
 * extension that was sent later than this was confirmed for `claimMs`.
 * @param report is told what the store throws, and that the claim was lost.
 * @param controller is aborted when the claim is lost: another delivery may be handling the event.
 */
export function keepClaim(
  store: DedupeStore,
  key: string,
  token: string,
  claimedAt: number,
  report: (error: unknown) => void,
  controller: AbortController,
): Lease {
  const { claimMs } = store;
  let isKept = true;
  let isHandled = false;
  let clearBeat: () => void;
  let clearExpiry: () => void;

  const stop = () => {
    isKept = false;
    clearBeat();
    clearExpiry();
  };
  const lose = () => {
    stop();
    if (isHandled) return;
    const error = new Error("The claim of this event was lost while it was being handled.");
    controller.abort(error);
    report(error);
  };
  const expireAfter = (sentAt: number) => later(sentAt + claimMs - performance.now(), lose);
  const beat = async () => {
    const sentAt = performance.now();
    const isOurs = await extend();
    if (!isKept) return;
    if (isOurs === false) return lose();
    clearBeat = later(claimMs / 3, beat);
    if (isOurs === undefined) return;
    clearExpiry();
    clearExpiry = expireAfter(sentAt);
  };
  /** Undefined when the store failed. */
  const extend = async () => {
    try {
      return await store.extend(key, token);
    } catch (error) {
      report(error);
      return undefined;
    }
  };

  clearBeat = later(claimedAt + claimMs / 3 - performance.now(), beat);
  clearExpiry = expireAfter(claimedAt);

  return {
    token,
    async complete() {
      isHandled = true;
      const giveUpAt = performance.now() + markingMs;
      for (let delayMs = 100; ; delayMs = Math.min(delayMs * 4, longestPauseMs)) {
        try {
          await within(patienceFor(store), () => store.complete(key, token));
          break;
        } catch (error) {
          report(error);
        }
        if (performance.now() + delayMs >= giveUpAt) break;
        await new Promise<void>((resolve) => void later(delayMs, resolve));
      }
      // Only now, so that a delivery that arrives meanwhile does not get the claim.
      stop();
    },
    async release() {
      stop();
      await within(patienceFor(store), () => store.release(key, token)).catch(report);
    },
  };
}

/**
 * Calls a function later.
 *
 * @param ms delay in milliseconds; never, where no timer runs so long.
 * @returns a function that clears the timer.
 */
export function later(ms: number, run: () => void): () => void {
  if (ms > longestTimerMs) return () => undefined;
  const timer: unknown = setTimeout(run, ms);
  // In Node, Bun and Deno a timer is an object that can be told not to keep the process running; elsewhere it is a number.
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer as number);
}

/**
 * Waits for the answer of a store for a limited time.
 *
 * @param ms the limit in milliseconds.
 * @param late is given an answer that comes after the limit. It must not throw.
 * @throws what `ask` throws or rejects with, or an Error when it does not answer in time.
 */
export function within<Answer>(
  ms: number,
  ask: () => Promise<Answer>,
  late?: (answer: Answer) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let take: (answer: Answer) => void = resolve;
    const clear = later(ms, () => {
      if (late !== undefined) take = late;
      reject(new Error("The store of handled events did not answer in time."));
    });
    const answer = async () => ask();
    answer()
      .then((value) => take(value), reject)
      .finally(clear);
  });
}
