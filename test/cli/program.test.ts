import { afterEach, expect, it, vi } from "vitest";
import { runProgram } from "../../scripts/cli/package/program.ts";
import { serveInTest } from "../support/http.ts";
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
  [["--version"], 0, `${plan.version}\n`, ""],
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

it.each([["requests"], ["logs"]])("%s --json prints everything at once, however much it is", async (command) => {
  const requests = Array.from({ length: 3000 }, (_, number) => ({
    number,
    at: "2026-04-01T09:00:00Z",
    method: "GET",
    path: "/v1/partner/balances",
    status: 200,
    notes: [],
    body: "x".repeat(1000),
  }));
  const server = await serveInTest(({ url }, response) =>
    response.end(JSON.stringify(url?.endsWith("/requests") ? requests : [])),
  );
  const { code, out, errors } = await run(command, "--json", "--url", server.url);
  const printed = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect({ code, printed, errors }).toEqual({ code: 0, printed: requests, errors: "" });
});
