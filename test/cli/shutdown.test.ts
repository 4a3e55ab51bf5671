import { expect, it, vi } from "vitest";
import { closeOnSignal } from "../../scripts/cli/kit/shutdown.ts";

it("closes once, also when a signal of another kind follows", () => {
  const onceSpy = vi.spyOn(process, "once");
  const close = vi.fn(async () => {});
  const release = closeOnSignal(close);
  // Calls only the handlers of this function, because other tests of this process may have left handlers.
  for (const [, handler] of onceSpy.mock.calls) handler();
  expect([onceSpy.mock.calls.length, close.mock.calls.length]).toEqual([3, 1]);
  release();
  onceSpy.mockRestore();
});
