import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { settleMs, UpdateQueue } from "../../../scripts/tools/start/update-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A queue whose updates run until `endUpdate` is called. `log` lists the files of each update, and each call of `supersede`. */
function makeQueue() {
  const log: string[] = [];
  let end = () => {};
  const untilEnded = () => new Promise<void>((resolve) => (end = resolve));
  const queue = new UpdateQueue(untilEnded(), {
    update(files) {
      log.push(files.join());
      return untilEnded();
    },
    supersede: () => void log.push("supersede"),
  });
  return { queue, log, endUpdate: () => end() };
}

const settle = () => vi.advanceTimersByTimeAsync(settleMs);

it("updates once for files that are saved together, after the update that runs", async () => {
  const { queue, log, endUpdate } = makeQueue();
  for (const file of ["a", "b", "a"]) queue.add(file);
  await settle();
  expect(log).toEqual(["supersede"]);
  endUpdate();
  await settle();
  expect(log).toEqual(["supersede", "a,b"]);
});

it("does not cancel an update that has taken a file which was saved just before it began", async () => {
  const { queue, log, endUpdate } = makeQueue();
  queue.add("a");
  await settle();
  queue.add("b");
  endUpdate();
  await settle();
  expect(log).toEqual(["supersede", "a,b"]);
});

it("begins no update after it is closed", async () => {
  const { queue, log, endUpdate } = makeQueue();
  queue.add("a");
  await settle();
  queue.add("b");
  const closed = queue.close();
  endUpdate();
  await settle();
  await closed;
  expect(log).toEqual(["supersede", "supersede"]);
});
