/** A claim that is kept while an event is being handled. */
import type { DedupeStore } from "./store.ts";
import { later, pause, within } from "./timers.ts";

/** A claim that this process holds. */
export interface Lease {
  readonly token: string;
  /** Aborted when the claim is lost: another delivery may be handling the event. */
  readonly signal: AbortSignal;
  /** Marks the event as handled, with repetitions if the store fails. Never rejects. */
  complete(): Promise<void>;
  /** Removes the claim, if it is still held. Never rejects. */
  release(): Promise<void>;
}

/** The longest time that a delivery waits for a store, in milliseconds. */
const patienceMs = 10_000;

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
 */
export function keepClaim(
  store: DedupeStore,
  key: string,
  token: string,
  claimedAt: number,
  report: (error: unknown) => void,
): Lease {
  const { claimMs } = store;
  const controller = new AbortController();
  let isKept = true;
  let clearBeat: () => void;
  let clearExpiry: () => void;

  const stop = () => {
    isKept = false;
    clearBeat();
    clearExpiry();
  };
  const lose = () => {
    stop();
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
    signal: controller.signal,
    async complete() {
      const giveUpAt = performance.now() + patienceFor(store);
      for (let delayMs = 100; ; delayMs *= 4) {
        const remainingMs = giveUpAt - performance.now();
        try {
          await within(remainingMs, () => store.complete(key, token));
          break;
        } catch (error) {
          report(error);
        }
        if (delayMs > 1600 || performance.now() + delayMs >= giveUpAt) break;
        await pause(delayMs);
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
