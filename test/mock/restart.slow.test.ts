/** Tests the content of a state file after its mock was killed, and which mock may use the file afterwards. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import type { Command } from "../support/command.ts";
import { packageCommand, startPackageCommand } from "../support/package-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { call } from "./raw-http.ts";

const folder = temporaryFolder();
const entry = packageCommand();
const startedCommands: Command[] = [];
afterEach(async () => {
  for (const command of startedCommands.splice(0)) await command.kill();
});

function startMockCommand(state: string): Command {
  const ports = ["--port", "0", "--deposit-port", "0"];
  const mock = startPackageCommand(entry, "mock", ...ports, "--quiet", "--empty", "--state", state);
  startedCommands.push(mock);
  return mock;
}

async function start(state: string): Promise<{ mock: Command; url: string }> {
  const mock = startMockCommand(state);
  const [, url = ""] = await mock.waitFor(/main address +(http:\S+)/, { limitMs: 60_000 });
  return { mock, url };
}

it("a killed mock loses at most its last 200 ms", async () => {
  const state = join(folder, "killed");
  const users = async (url: string) => JSON.parse((await call(url, "GET", "/__mock/users")).text) as object[];
  const firstRun = await start(state);
  await call(firstRun.url, "POST", "/__mock/users/user-a", {});
  await expect.poll(() => readFileSync(state, "utf8"), { timeout: 5000 }).toContain("user-a");
  firstRun.mock.signal("SIGKILL");
  await firstRun.mock.exitCode;
  const secondRun = await start(state);
  expect(await users(secondRun.url)).toHaveLength(1);
  await call(secondRun.url, "POST", "/__mock/users/user-b", {});
  secondRun.mock.signal("SIGTERM");
  expect(await secondRun.mock.exitCode).toBe(0);
  expect(existsSync(`${state}.lock`)).toBe(false);
  const thirdRun = await start(state);
  expect(await users(thirdRun.url)).toHaveLength(2);
}, 120_000);

it("of mocks that start together after a kill, only one continues", async () => {
  const state = join(folder, "contended");
  const endedCommand = startMockCommand(join(folder, "ended"));
  endedCommand.signal("SIGKILL");
  await endedCommand.exitCode;
  writeFileSync(`${state}.lock`, `${endedCommand.pid} ${hostname()}\n`);
  const mocks = [startMockCommand(state), startMockCommand(state), startMockCommand(state)];
  const endings = await Promise.all(
    mocks.map((mock) =>
      Promise.race([mock.exitCode, mock.waitFor(/main address/, { limitMs: 60_000 }).then(() => "runs")]),
    ),
  );
  expect(endings.toSorted()).toEqual([1, 1, "runs"]);
  for (const [index, mock] of mocks.entries()) {
    if (endings[index] === 1) expect(mock.output).toMatch(/^\S+contended is in use by [^\n]+\.\n$/);
  }
}, 120_000);
