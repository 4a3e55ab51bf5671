import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { Output } from "../../scripts/prove/output.ts";
import { ProgramProcess } from "../../scripts/prove/processes.ts";
import { runToEnd } from "../../scripts/prove/run-program.ts";
import { withFolder } from "./support.ts";

const run = (command: string, kill?: Parameters<typeof runToEnd>[1], limitMs = 20_000, pauseMs = 1) =>
  withFolder(async (folder) => {
    const file = join(folder, "runs");
    const options = { output: new Output([]), limitMs, pauseMs, signal: new AbortController().signal };
    const env = { ...process.env, RUNS: file };
    const shell = ["/bin/sh", "-c", `echo run >> "$RUNS"; ${command}`];
    const { isFinished, reason } = await runToEnd({ ...options, env, command: shell }, kill);
    const runs = existsSync(file) ? readFileSync(file, "utf8").split("\n").length - 1 : 0;
    return [runs, isFinished, reason];
  });

it.concurrent.each<[string, string, limitMs: number, Awaited<ReturnType<typeof run>>]>([
  ["with exit code 0", "exit 0", 20_000, [1, true, ""]],
  ["after two failures", 'test "$(wc -l < "$RUNS")" -eq 3', 20_000, [3, true, ""]],
  ["after five signals", "kill -9 $$", 20_000, [5, false, "ended by a signal in the last of 5 runs"]],
  ["at the time limit", "sleep 60", 1000, [1, false, "was still running after 1 s"]],
])("ends %s", async (_name, command, limitMs, result) => {
  expect(await run(command, undefined, limitMs)).toEqual(result);
});

it.concurrent("ends after five other exit codes, with pauses", async () => {
  const startedAt = performance.now();
  expect(await run("exit 3", undefined, 20_000, 100)).toEqual([
    5,
    false,
    "ended with exit code 3 in the last of 5 runs",
  ]);
  // Between five runs there are four pauses.
  expect(performance.now() - startedAt).toBeGreaterThan(395);
});

it.concurrent("does not count a run that was killed on purpose", async () => {
  let isKilled = false;
  const killedRun = await run("exit 3", async (completion) => {
    isKilled = true;
    await completion;
    return true;
  });
  expect([isKilled, ...killedRun]).toEqual([true, 6, false, "ended with exit code 3 in the last of 5 runs"]);
});

it.concurrent("records whole lines, and the end of the last line", async () => {
  const texts: string[] = [];
  const output = Object.assign(new Output([]), { add: (text: string) => texts.push(text) });
  const options = { output, limitMs: 20_000, pauseMs: 1, signal: new AbortController().signal, env: process.env };
  const lines = "printf 'unclear r-1\\nfail'; sleep 0.1; printf 'ed r-2\\nunclear r-3'";
  await runToEnd({ ...options, command: ["/bin/sh", "-c", lines] });
  expect(texts.filter((text) => text !== "")).toEqual(["unclear r-1\n", "failed r-2\n", "unclear r-3\n"]);
});

it.concurrent.each([
  [4096, [4097]],
  [4097, [4097, 1]],
])("records a line of %i characters that comes before its end in parts of the lengths %j", async (length, expected) => {
  const texts: string[] = [];
  const output = Object.assign(new Output([]), { add: (text: string) => texts.push(text) });
  const options = { output, limitMs: 20_000, pauseMs: 1, signal: new AbortController().signal, env: process.env };
  const script = `process.stdout.write("x".repeat(${length})); setTimeout(() => process.stdout.write("\\n"), 100);`;
  await runToEnd({ ...options, command: [process.execPath, "-e", script] });
  expect(texts.filter((text) => text !== "").map((text) => text.length)).toEqual(expected);
});

it.concurrent("has ended when a kill is done, as after its own end", async () => {
  const options = { env: process.env, limitMs: 20_000, onOutput: () => {}, signal: new AbortController().signal };
  const [sleeping, ending] = ["sleep 60", "exit 0"].map(
    (command) => new ProgramProcess(["/bin/sh", "-c", command], options),
  ) as [ProgramProcess, ProgramProcess];
  expect(sleeping.hasEnded).toBe(false);
  await sleeping.kill();
  expect(sleeping.hasEnded).toBe(true);
  await ending.completion;
  expect(ending.hasEnded).toBe(true);
});

it.each([
  ["there-is-none", "there is no such file or command"],
  [import.meta.filename, "it is not executable"],
  [basename(import.meta.filename), "no folder of PATH has it as an executable"],
])("reports why %s cannot be started", async (program, reason) => {
  const { signal } = new AbortController();
  // The test sets its own PATH, because an unreadable folder in the PATH of the machine would change the reason.
  const options = { env: { PATH: import.meta.dirname }, limitMs: 20_000, onOutput: () => {}, signal };
  await expect(new ProgramProcess([program], options).completion).rejects.toThrow(
    `${program} cannot be started: ${reason}.`,
  );
});
