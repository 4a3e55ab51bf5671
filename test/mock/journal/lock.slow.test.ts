import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { Journal, JournalError } from "../../../scripts/mock/journal/journal.ts";
import { type Command, script } from "../../support/command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
let files = 0;
const newFile = () => join(folder, `state-${files++}`);

const started: Command[] = [];
afterEach(async () => {
  for (const command of started.splice(0)) await command.kill();
});

function startCommand(state: string): Command {
  const command = script("mock", "--port", "0", "--deposit-port", "0", "--state", state);
  started.push(command);
  return command;
}

const endedProcess = () => spawnSync(process.execPath, ["--version"]).pid;

it("an open journal cannot be opened a second time until it is closed", () => {
  const file = newFile();
  const journal = new Journal(file);
  expect(() => new Journal(file)).toThrow(JournalError);
  expect(() => new Journal(file)).toThrow(`${file} is in use by another mock of this process.`);
  symlinkSync(file, `${file}-link`);
  expect(() => new Journal(`${file}-link`)).toThrow("is in use by");
  journal.close();
  expect(existsSync(`${file}.lock`)).toBe(false);
  new Journal(file).close();
});

it("a running process is named, and its lock kept", () => {
  const file = newFile();
  writeFileSync(`${file}.lock`, `${process.ppid}\n`);
  expect(() => new Journal(file)).toThrow(
    `${file} is in use by process ${process.ppid}. Stop it, or give another file.`,
  );
  expect(readFileSync(`${file}.lock`, "utf8")).toBe(`${process.ppid}\n`);
});

it.each([
  ["of a process that has ended", () => `${endedProcess()}\n`],
  ["of a process whose number another one has now", () => `${process.pid} 1\n`],
  ["that holds no process", () => "\n"],
  ["that holds no number of a process", () => "0\n"],
])("a lock %s is taken over", (_, content) => {
  const file = newFile();
  writeFileSync(`${file}.lock`, content());
  const journal = new Journal(file);
  expect(readFileSync(`${file}.lock`, "utf8")).toMatch(new RegExp(`^${process.pid}\\b`));
  journal.close();
});

const foreign = `${process.pid} 1 pid:[1]@another-boot\n`;

it("a lock of another container is kept while it is refreshed, even if no process here has its number", () => {
  const file = newFile();
  writeFileSync(`${file}.lock`, foreign);
  const touch = `const fs = require("node:fs"); setInterval(() => fs.utimesSync(process.argv[1], new Date(), new Date()), 500)`;
  const holder = spawn(process.execPath, ["-e", touch, `${file}.lock`]);
  try {
    expect(() => new Journal(file)).toThrow(
      `${file} is in use by process ${process.pid} of another container or machine. Stop it, or give another file.`,
    );
    expect(readFileSync(`${file}.lock`, "utf8")).toBe(foreign);
  } finally {
    holder.kill("SIGKILL");
  }
});

it("a lock of another container that is no longer refreshed is taken over after a few seconds", () => {
  const file = newFile();
  writeFileSync(`${file}.lock`, foreign);
  utimesSync(`${file}.lock`, 0, 0);
  new Journal(file).close();
  expect(existsSync(`${file}.lock`)).toBe(false);
}, 20_000);

it("an open journal refreshes its lock", async () => {
  const file = newFile();
  const journal = new Journal(file);
  utimesSync(`${file}.lock`, 0, 0);
  await expect.poll(() => statSync(`${file}.lock`).mtimeMs, { timeout: 10_000 }).toBeGreaterThan(0);
  journal.close();
}, 20_000);

it("a second mock exits with 1 and one sentence; after kill -9 a new one takes over", async () => {
  const state = newFile();
  const first = startCommand(state);
  await first.waitFor(/Stop with/, { limitMs: 60_000 });
  const second = startCommand(state);
  expect(await second.ended).toBe(1);
  expect(second.output).toMatch(/^\S+ is in use by process \d+\. Stop it, or give another file\.\n$/);
  first.signal("SIGKILL");
  await first.ended;
  const third = startCommand(state);
  await third.waitFor(/Stop with/, { limitMs: 60_000 });
  third.signal("SIGTERM");
  expect(await third.ended).toBe(0);
  expect(existsSync(`${state}.lock`)).toBe(false);
}, 120_000);
