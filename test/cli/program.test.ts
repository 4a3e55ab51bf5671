import { afterEach, expect, it, vi } from "vitest";
import { runProgram } from "../../scripts/cli/package/program.ts";
import { plan } from "../support/plan.ts";

afterEach(() => void vi.restoreAllMocks());

async function run(...args: string[]) {
  const output = { out: "", errors: "" };
  const appendTo = (stream: keyof typeof output) => (text: unknown) => {
    output[stream] += text;
    return true;
  };
  vi.spyOn(console, "log").mockImplementation(appendTo("out"));
  vi.spyOn(process.stdout, "write").mockImplementation(appendTo("out"));
  vi.spyOn(process.stderr, "write").mockImplementation(appendTo("errors"));
  const [exitCodeBefore, file] = [process.exitCode, process.argv[1] ?? ""];
  process.argv[1] = "/tools/program.js";
  try {
    await runProgram(args);
    await new Promise((resolve) => setImmediate(resolve));
    return { ...output, code: process.exitCode };
  } finally {
    process.exitCode = exitCodeBefore;
    process.argv[1] = file;
  }
}

const usage =
  /^Usage: npx partner-wallet-api <command> \[options\]\n\nCommands:\n {2}mock +run a mock .*\n {2}check +report where .*\n/s;

it.each<[args: string[], code: number | undefined, out: unknown, errors: unknown]>([
  [["--version"], undefined, plan.version, ""],
  [["--help"], 0, expect.stringMatching(usage), ""],
  [[], 2, "", expect.stringMatching(usage)],
  [
    ["mcok"],
    2,
    "",
    expect.stringMatching(/^Usage: .*\nCommands: mock, .*\nThere is no command mcok\. Did you mean mock\?\n$/),
  ],
  [["foo"], 2, "", expect.stringMatching(/^Usage: .*\nCommands: mock, .*\nThere is no command foo\.\n$/)],
  [["webhook", "exchange"], 2, "", expect.stringMatching(/^Give the address of your receiver/)],
  [["clock", "--url", "nonsense"], 2, "", expect.stringMatching(/^--url takes a URL/)],
])("%j", async (args, code, expectedOutput, expectedErrors) => {
  expect(await run(...args)).toEqual({ code, out: expectedOutput, errors: expectedErrors });
});
