import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { projectRoot, UsageError } from "../../../scripts/base/index.ts";
import { run, withServer, withTemporaryFolder } from "../../../scripts/tools/processes/index.ts";

const options = { cwd: projectRoot };
const node = (program: string, extraOptions = {}) =>
  run(process.execPath, ["-e", program], { ...options, ...extraOptions });

const grandchildProgram = `
const { pid } = require("node:child_process").spawn("sleep", ["600"], { stdio: "inherit" });
console.log("grandchild", pid);`;

/** Waits at most 2 s until a process has ended. A zombie, whose parent has not yet read the exit code, counts as ended. */
async function expectEnded(pid: number): Promise<void> {
  const stat = `/proc/${pid}/stat`;
  const isRunning = () => {
    try {
      process.kill(pid, 0);
      return !existsSync(stat) || !/^\d+ \(.*\) Z/.test(readFileSync(stat, "utf8"));
    } catch {
      return false;
    }
  };
  for (let tries = 0; tries < 100 && isRunning(); tries += 1) await sleep(20);
  expect(isRunning()).toBe(false);
}

it("returns what a program prints, and finds programs of node_modules by name", async () => {
  expect(await node("console.log(process.env.FRUIT)", { env: { FRUIT: "pear" } })).toBe("pear\n");
  expect(await run("tsc", ["--version"], options)).toMatch(/^Version /);
});

it("fails with all output of the program, long lines truncated", async () => {
  const failingRun = node("console.log('o'.repeat(900)); console.error('reason'); process.exit(3)");
  await expect(failingRun).rejects.toThrow(UsageError);
  await expect(failingRun).rejects.toThrow(/-e .* failed\.\no{500}…\nreason$/s);
  await expect(run("no-such-program", [], options)).rejects.toThrow("no-such-program cannot be started");
});

it("ends a program whose group is reported as not permitted, as macOS does before the exit codes have been read", async () => {
  const { kill } = process;
  const kills = vi.spyOn(process, "kill").mockImplementation((pid, signal) => {
    try {
      return kill.call(process, pid, signal);
    } catch (error) {
      throw Object.assign(error as Error, { code: "EPERM" });
    }
  });
  expect(await node("console.log('done')")).toBe("done\n");
  expect(kills).toHaveBeenCalled();
  kills.mockRestore();
});

it.concurrent("kills a program and its children at the time limit", async () => {
  const slowRun = node(`${grandchildProgram} setInterval(() => {}, 1000)`, { limitMs: 2000 });
  const { message } = (await slowRun.then(String, (error: Error) => error)) as Error;
  const [, pid] = /was killed after 2 s\.\ngrandchild (\d+)$/.exec(message) ?? expect.fail(message);
  await expectEnded(Number(pid));
});

it.concurrent("starts a server, captures its output, and stops it with its children", async () => {
  const program = `${grandchildProgram}
require("node:http").createServer((request, response) => {
  process.stdout.write("x".repeat(1_000_000) + "\\n", () => response.end(process.pid + " " + pid));
}).listen(0, "127.0.0.1", function () { console.log("port", this.address().port); });`;
  const response = await withServer(
    process.execPath,
    ["-e", program],
    { ...options, portPattern: /port (\d+)/ },
    (origin) => fetch(origin).then((response) => response.text()),
  );
  expect(response).toMatch(/^\d+ \d+$/);
  for (const pid of response.split(" ")) await expectEnded(Number(pid));
});

it.concurrent("reports why a server does not listen", async () => {
  const serve = (program: string, limit = {}) =>
    withServer(
      process.execPath,
      ["-e", program],
      { ...options, portPattern: /port (\d+)/, ...limit },
      async () => "used",
    );
  await expect(serve("console.error('no port left')")).rejects.toThrow(/ended without printing .*\.\nno port left$/);
  await expect(serve("setInterval(() => {}, 1000)", { limitMs: 500 })).rejects.toThrow(/printed no .* within 0\.5 s/);
});

it("removes a temporary folder after use, also when the use failed", async () => {
  let folder = "";
  const failingUse = withTemporaryFolder("processes-", async (path) => {
    folder = path;
    writeFileSync(join(path, "file"), "");
    throw new Error("failed");
  });
  await expect(failingUse).rejects.toThrow("failed");
  expect(existsSync(folder)).toBe(false);
});

it("kills programs and removes folders when a signal ends the process", async () => {
  const program = `
import { existsSync, readFileSync } from "node:fs";
import { run, withTemporaryFolder } from ${JSON.stringify(`${projectRoot}/scripts/tools/processes/index.ts`)};
await withTemporaryFolder("processes-", async (cwd) => {
  run("sh", ["-c", "echo $$ > new; mv new pid; sleep 600"], { cwd });
  while (!existsSync(cwd + "/pid")) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log("running", readFileSync(cwd + "/pid", "utf8").trim(), "in", cwd);
  process.kill(process.pid, "SIGTERM");
  await new Promise(() => {});
});`;
  const endedRun = run(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], options);
  const { message } = (await endedRun.then(String, (error: Error) => error)) as Error;
  const [, pid, folder] = /running (\d+) in (.*)/.exec(message) ?? expect.fail(message);
  expect(existsSync(folder as string)).toBe(false);
  await expectEnded(Number(pid));
});
