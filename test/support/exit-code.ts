/** Fails a test file that changes process.exitCode, because the next test files run in the same process. */
import { afterAll, expect } from "vitest";

const exitCodeBefore = process.exitCode;

afterAll(() => {
  const exitCodeAfter = process.exitCode;
  process.exitCode = exitCodeBefore;
  expect(exitCodeAfter, "process.exitCode after the tests of this file").toBe(exitCodeBefore);
});
