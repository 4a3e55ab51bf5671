/** One mock at a time writes to a journal: two of them would overwrite what the other one has acknowledged. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/contract/index.ts";
import { JournalError, openJournal } from "../../../scripts/mock/journal/journal.ts";
import { Command } from "../../support/command.ts";

const folder = mkdtempSync(join(tmpdir(), "lock-"));
const header = { format: 1, basis: "seed plan" } as const;
let files = 0;
const newFile = () => join(folder, `state-${files++}`);

const started: Command[] = [];
afterEach(async () => {
  for (const command of started.splice(0)) await command.kill();
});
afterAll(() => rmSync(folder, { recursive: true }));

function startCommand(state: string): Command {
  const args = ["--import", "tsx", "scripts/commands/mock.ts", "--port", "0", "--deposit-port", "0", "--state", state];
  const command = new Command(process.execPath, args, projectRoot);
  started.push(command);
  return command;
}

/** The id of a process that has ended. */
const endedProcess = () => spawnSync(process.execPath, ["--version"]).pid;

it("a journal that is open is opened by nobody else, until it is closed", () => {
  const file = newFile();
  const { journal } = openJournal(file, header);
  journal.append({ call: 1 });
  expect(() => openJournal(file, header)).toThrow(JournalError);
  expect(() => openJournal(file, header)).toThrow(`${file} is in use by another mock of this process.`);
  symlinkSync(file, `${file}-link`);
  expect(() => openJournal(`${file}-link`, header)).toThrow("is in use by");
  journal.close();
  expect(existsSync(`${file}.lock`)).toBe(false);
  const again = openJournal(file, header);
  expect(again.entries).toEqual([{ call: 1 }]);
  again.journal.close();
});

it("another process that lives is named, and its lock is left", () => {
  const file = newFile();
  writeFileSync(`${file}.lock`, `${process.ppid}\n`);
  expect(() => openJournal(file, header)).toThrow(
    `${file} is in use by process ${process.ppid}. Stop it, or give another file.`,
  );
  expect(readFileSync(`${file}.lock`, "utf8")).toBe(`${process.ppid}\n`);
});

it.each([
  ["of a process that has ended", () => `${endedProcess()}\n`],
  ["of a process whose number another one has now", () => `${process.pid} 1\n`],
  ["that holds no process", () => "\n"],
])("a lock %s is taken over", (_, content) => {
  const file = newFile();
  writeFileSync(`${file}.lock`, content());
  const { journal } = openJournal(file, header);
  expect(readFileSync(`${file}.lock`, "utf8")).toMatch(new RegExp(`^${process.pid}\\b`));
  journal.close();
});

it("a file that is refused is not locked", () => {
  const file = newFile();
  writeFileSync(file, "# My shopping list\n");
  expect(() => openJournal(file, header)).toThrow("is no journal");
  expect(existsSync(`${file}.lock`)).toBe(false);
});

it("a second mock ends with 1 and one sentence; after kill -9 another one takes over", async () => {
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
