import { withDeadline } from "../base/deadline.ts";
import type { ClientState } from "../state/client.ts";

/** At most `maxConcurrent` attempts run at the same time. Rejects when the attempt has not started in time, or `signal` aborts first. */
export async function withSlot<T>(
  state: ClientState,
  milliseconds: number,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  if (state.freeSlots >= 1) state.freeSlots -= 1;
  else {
    let startAttempt = () => {};
    const slotReceived = new Promise<void>((resolve) => {
      startAttempt = resolve;
      state.queue.add(startAttempt);
    });
    try {
      await withDeadline(milliseconds, signal, () => slotReceived);
    } catch (cause) {
      // If the attempt received its slot just before the wait ended, the next one gets the slot.
      if (!state.queue.delete(startAttempt)) releaseSlot(state);
      throw cause;
    }
  }
  try {
    return await run();
  } finally {
    releaseSlot(state);
  }
}

function releaseSlot(state: ClientState): void {
  const [startNext] = state.queue;
  if (startNext === undefined) state.freeSlots += 1;
  else {
    state.queue.delete(startNext);
    startNext();
  }
}
