import * as fs from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  Journal,
  type JournalEntry,
  JournalError,
  type JournalOptions,
} from "../../../scripts/mock/journal/journal.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder();
let files = 0;
const newFile = () => join(folder, `state-${files++}`);

function open(file: string, options: JournalOptions = {}): { journal: Journal; entries: JournalEntry[] } {
  const journal = new Journal(file, options);
  const entries: JournalEntry[] = [];
  try {
    journal.read((entry) => entries.push(entry));
  } catch (error) {
    journal.close();
    throw error;
  }
  return { journal, entries };
}

function write(file: string, entries: readonly JournalEntry[], options?: JournalOptions): void {
  const { journal } = open(file, options);
  for (const entry of entries) journal.append(entry);
  journal.close();
}

function readAgain(file: string): { entries: JournalEntry[]; notes: string[] } {
  const notes: string[] = [];
  const { journal, entries } = open(file, { onNote: (note) => notes.push(note) });
  journal.close();
  return { entries, notes };
}

describe("a journal", () => {
  it.each([false, true])("is empty at first, and has all entries after it is reopened (fsync %s)", (fsync) => {
    const file = newFile();
    expect(readAgain(file).entries).toEqual([]);
    write(file, [{ call: 1 }, { text: "line\nbreak ü \u2028 \ud83d\ude00" }], { fsync });
    write(file, [{ call: 2 }], { fsync });
    expect(readAgain(file)).toEqual({
      entries: [{ call: 1 }, { text: "line\nbreak ü \u2028 \ud83d\ude00" }, { call: 2 }],
      notes: [],
    });
  });

  it("cut at any byte keeps every complete line and continues from there, or is refused unchanged", () => {
    const entries = fc.array(fc.record({ number: fc.nat(), text: fc.string({ unit: "binary" }) }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(entries, fc.nat(), (written, at) => {
        const file = newFile();
        const whole = written.map((entry) => JSON.parse(JSON.stringify(entry)) as JournalEntry);
        write(file, whole);
        const bytes = fs.readFileSync(file);
        const cut = at % (bytes.length + 1);
        fs.writeFileSync(file, bytes.subarray(0, cut));
        const lines = bytes.subarray(0, cut).toString("latin1").split("\n").length - 1;
        if (lines === 0 && cut > 0) {
          expect(() => open(file)).toThrow("is no journal");
          expect(fs.readFileSync(file)).toEqual(bytes.subarray(0, cut));
          return;
        }
        const kept = whole.slice(0, Math.max(lines - 1, 0));
        expect(readAgain(file).entries).toEqual(kept);
        write(file, [{ after: true }]);
        expect(readAgain(file)).toEqual({ entries: [...kept, { after: true }], notes: [] });
      }),
      { numRuns: 40 },
    );
  });

  const replace = (from: string, to: string) => (text: string) => text.replace(from, to);
  const changeLines = (change: (lines: string[]) => string[]) => (text: string) => change(text.split("\n")).join("\n");
  it.each<[string, RegExp, (text: string) => string]>([
    ["of which a line was changed", /line 3 is damaged/, replace('"call":2', '"call":7')],
    ["of which the last line was changed", /line 4 is damaged/, replace('"call":3', '"call":7')],
    [
      "of which a line is missing",
      /line 3 is damaged, or one before it is missing/,
      changeLines((lines) => lines.toSpliced(2, 1)),
    ],
    ["with a line twice", /line 4 is damaged/, changeLines((lines) => lines.toSpliced(2, 0, lines[2] ?? ""))],
    [
      "with two lines exchanged",
      /line 2 is damaged/,
      changeLines(([a = "", b = "", c = "", ...rest]) => [a, c, b, ...rest]),
    ],
    ["that ends in zeros, as after a power cut", /line 5 is damaged/, (text) => `${text}\0\0\0\0`],
    ["of another format", /no journal of this version/, replace('"format":3', '"format":1')],
    ["that is a text", /is no journal of this version of the mock: line 1/, () => "# My shopping list\nmilk\n"],
    ["that is a text without a line", /is no journal/, () => "deadbeef is my file"],
  ])("%s stops the start, with the line and advice, and stays unchanged", (_, problem, change) => {
    const file = newFile();
    write(file, [{ call: 1 }, { call: 2 }, { call: 3 }]);
    const damaged = change(fs.readFileSync(file, "utf8"));
    fs.writeFileSync(file, damaged);
    expect(() => open(file)).toThrow(problem);
    expect(() => open(file)).toThrow(JournalError);
    expect(() => open(file)).toThrow(/the file is left as it is|this one is left as it is/);
    expect(fs.readFileSync(file, "utf8")).toBe(damaged);
    expect(fs.readdirSync(folder).filter((name) => name.endsWith(".lock") || name.endsWith(".new"))).toEqual([]);
  });

  it("with an entry that does not fit names the line and the reason", () => {
    const file = newFile();
    write(file, [{ call: 1 }, { call: 2 }]);
    const journal = new Journal(file);
    const load = ({ call }: JournalEntry) => {
      if (call === 2) throw new Error("There is no job call.");
    };
    expect(() => journal.read(load)).toThrow(/line 3 does not fit this version of the mock \(There is no job call\.\)/);
    journal.close();
  });

  it("is compacted when it has grown, also where the path is a symbolic link", async () => {
    const file = newFile();
    fs.symlinkSync(file, `${file}-link`);
    fs.writeFileSync(file, "");
    const { journal } = open(`${file}-link`, { most: 50 });
    let last = 0;
    journal.contents = () => [{ last }];
    for (let call = 1; call <= 120; call += 1) {
      last = call;
      journal.append({ call });
      if (call % 10 === 0) await turn();
    }
    journal.close();
    expect(fs.lstatSync(`${file}-link`).isSymbolicLink()).toBe(true);
    const { entries } = readAgain(file);
    expect(entries[0]).toEqual({ last: 100 });
    expect(entries.slice(1)).toEqual(Array.from({ length: 20 }, (_, index) => ({ call: 101 + index })));
    expect(fs.statSync(file).mode & 0o077).toBe(0);
  });

  it("that was compacted is not compacted again when it is reopened", async () => {
    const file = newFile();
    const kept = Array.from({ length: 30 }, (_, number) => ({ number }));
    const rewritten: number[] = [];
    for (const calls of [19, 1, 1, 50]) {
      const { journal } = open(file, { most: 20 });
      let times = 0;
      journal.contents = () => {
        times += 1;
        return kept;
      };
      for (let call = 1; call <= calls; call += 1) journal.append({ call });
      await turn();
      journal.close();
      rewritten.push(times);
    }
    expect(rewritten).toEqual([1, 0, 0, 1]);
  });

  it.each<[string, string, (file: string) => void]>([
    ["was deleted", "it was deleted", (file) => fs.rmSync(file)],
    ["was replaced", "it was deleted", (file) => fs.renameSync(newFileWith("other"), file)],
    ["was emptied", "another process has changed it", (file) => fs.writeFileSync(file, "")],
    ["was written to", "another process has changed it", (file) => fs.appendFileSync(file, "more")],
  ])("that %s while it is open accepts no more entries", (_, problem, change) => {
    for (const before of [[], [{ call: 1 }]]) {
      const file = newFile();
      const notes: string[] = [];
      const { journal } = open(file, { onNote: (note) => notes.push(note) });
      for (const entry of before) journal.append(entry);
      change(file);
      expect(() => journal.append({ call: 2 })).toThrow(`${file} cannot be written: ${problem}. Stop the mock`);
      expect(() => journal.append({ call: 3 })).toThrow(JournalError);
      expect(notes).toHaveLength(1);
      journal.close();
    }
  });

  it("reports why it cannot be opened", () => {
    expect(() => open(join(folder, "missing", "state"))).toThrow(/cannot be written: ENOENT/);
    expect(() => open(folder)).toThrow(`${folder} is no file. Give the path of one with --state.`);
    expect(() => open("/dev/null")).toThrow("/dev/null is no file.");
    const file = newFileWith("");
    expect(() => open(join(file, "state"))).toThrow(JournalError);
    fs.linkSync(file, `${file}-hard`);
    expect(() => open(file)).toThrow("has another name (a hard link)");
  });
});

function newFileWith(text: string): string {
  const file = newFile();
  fs.writeFileSync(file, text);
  return file;
}
