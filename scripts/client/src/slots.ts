import type { ClientState } from "./client.ts";
import { withDeadline } from "./deadline.ts";

/** Runs an attempt when fewer than `maxConcurrent` others run. */
export async function withSlot<T>(
  state: ClientState,
  milliseconds: number,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  if (state.freeSlots >= 1) state.freeSlots -= 1;
  else {
    let start = () => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
      state.queue.add(start);
    });
    try {
      await withDeadline(milliseconds, signal, () => started);
    } catch (cause) {
      // If the attempt received its slot just before the wait ended, the next one gets the slot.
      if (!state.queue.delete(start)) releaseSlot(state);
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
  const [next] = state.queue;
  if (next === undefined) state.freeSlots += 1;
  else {
    state.queue.delete(next);
    next();
  }
}
