/** Fails a test file that changes process.exitCode, because the next test files run in the same process. */
import { afterAll, expect } from "vitest";

const before = process.exitCode;

afterAll(() => {
  const left = process.exitCode;
  process.exitCode = before;
  expect(left, "process.exitCode after the tests of this file").toBe(before);
});
