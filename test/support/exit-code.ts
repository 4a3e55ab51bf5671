/** Fails a test file that leaves an exit code behind: the files after it in the same process would start with it. */
import { afterAll, expect } from "vitest";

const before = process.exitCode;

afterAll(() => {
  const left = process.exitCode;
  process.exitCode = before;
  expect(left, "process.exitCode after the tests of this file").toBe(before);
});
