import type { ClientState } from "./client.ts";
import { withDeadline } from "./deadline.ts";

/** Runs an attempt when fewer than `maxConcurrent` others run. */
export async function inTurn<T>(
  state: ClientState,
  milliseconds: number,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  if (state.freeSlots >= 1) state.freeSlots -= 1;
  else {
    let begin = () => {};
    const turn = new Promise<void>((resolve) => {
      begin = resolve;
      state.queue.add(begin);
    });
    try {
      await withDeadline(milliseconds, signal, () => turn);
    } catch (cause) {
      // The attempt may have received its slot just before the wait ended: pass the slot on.
      if (!state.queue.delete(begin)) giveTurn(state);
      throw cause;
    }
  }
  try {
    return await run();
  } finally {
    giveTurn(state);
  }
}

function giveTurn(state: ClientState): void {
  const [next] = state.queue;
  if (next === undefined) state.freeSlots += 1;
  else {
    state.queue.delete(next);
    next();
  }
}
