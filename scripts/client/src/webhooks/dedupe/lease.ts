/** The claim is extended while the event is being handled. */
import { startTimer, waitForStore } from "../timers.ts";
import type { DedupeStore } from "./store.ts";

export interface Lease {
  readonly token: string;
  /** Marks the event as handled. Retries for up to 10 minutes if the store fails. Never rejects. */
  complete(): Promise<void>;
  /** Removes the claim, so that the next delivery can claim the event. Never rejects. */
  release(): Promise<void>;
}

const storeTimeoutMs = 10_000;

const maxPauseMs = 5_000;
const completionTimeoutMs = 10 * 60_000;

export function storeTimeoutOf({ claimMs }: DedupeStore): number {
  return Math.min(claimMs, storeTimeoutMs);
}

/**
 * Extends a claim every third of its duration. The claim is lost when the store refuses to extend it, or does not confirm an extension
 * within `claimMs`: `controller` is aborted, because another delivery may be handling the event.
 *
 * @param claimedAt time at which the claim was sent to the store, in milliseconds of `performance.now()`.
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
  let clearExtension: () => void;
  let clearExpiry: () => void;

  const stop = () => {
    isKept = false;
    clearExtension();
    clearExpiry();
  };
  const loseClaim = () => {
    stop();
    if (isHandled) return;
    const error = new Error("The claim of this event was lost while it was being handled.");
    controller.abort(error);
    report(error);
  };
  const expireAfter = (sentAt: number) => startTimer(sentAt + claimMs - performance.now(), loseClaim);
  const extendClaim = async () => {
    const sentAt = performance.now();
    let wasExtended: boolean | undefined;
    try {
      wasExtended = await store.extend(key, token);
    } catch (error) {
      report(error);
    }
    if (!isKept) return;
    if (wasExtended === false) return loseClaim();
    clearExtension = startTimer(claimMs / 3, extendClaim);
    if (wasExtended === undefined) return;
    clearExpiry();
    clearExpiry = expireAfter(sentAt);
  };

  clearExtension = startTimer(claimedAt + claimMs / 3 - performance.now(), extendClaim);
  clearExpiry = expireAfter(claimedAt);

  return {
    token,
    async complete() {
      isHandled = true;
      const giveUpAt = performance.now() + completionTimeoutMs;
      for (let delayMs = 100; ; delayMs = Math.min(delayMs * 4, maxPauseMs)) {
        try {
          await waitForStore(storeTimeoutOf(store), () => store.complete(key, token));
          break;
        } catch (error) {
          report(error);
        }
        if (performance.now() + delayMs >= giveUpAt) break;
        await new Promise<void>((resolve) => void startTimer(delayMs, resolve));
      }
      // The claim was extended until here, so that a concurrent delivery could not claim the event.
      stop();
    },
    async release() {
      stop();
      await waitForStore(storeTimeoutOf(store), () => store.release(key, token)).catch(report);
    },
  };
}
