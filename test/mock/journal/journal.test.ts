/** The journal: what was written is read again, whatever happens to the end of the file. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { type JournalEntry, JournalError, openJournal } from "../../../scripts/mock/journal/journal.ts";

const folder = mkdtempSync(join(tmpdir(), "journal-"));
let files = 0;
const newFile = () => join(folder, `state-${files++}`);
const header = { format: 1, basis: "seed plan" } as const;

afterAll(() => rmSync(folder, { recursive: true }));

function write(file: string, entries: readonly JournalEntry[]): void {
  const { journal } = openJournal(file, header);
  for (const entry of entries) journal.append(entry);
  journal.close();
}

function readAgain(file: string): { entries: readonly JournalEntry[]; cutBytes: number } {
  const { journal, entries, cutBytes } = openJournal(file, header);
  journal.close();
  return { entries, cutBytes };
}

describe("a journal", () => {
  it("is empty at first, and holds what was appended, also after it was opened again", () => {
    const file = newFile();
    expect(readAgain(file).entries).toEqual([]);
    write(file, [{ call: 1 }, { text: "line\nbreak ü \u2028 \ud83d\ude00" }]);
    write(file, [{ call: 2 }]);
    expect(readAgain(file)).toEqual({
      entries: [{ call: 1 }, { text: "line\nbreak ü \u2028 \ud83d\ude00" }, { call: 2 }],
      cutBytes: 0,
    });
  });

  it("cut anywhere keeps every entry before the cut, and goes on from there", () => {
    const entries = fc.array(fc.record({ number: fc.nat(), text: fc.string({ unit: "binary" }) }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(entries, fc.nat(), (written, at) => {
        const file = newFile();
        const whole = written.map((entry) => JSON.parse(JSON.stringify(entry)) as JournalEntry);
        write(file, whole);
        const bytes = readFileSync(file);
        const cut = at % (bytes.length + 1);
        writeFileSync(file, bytes.subarray(0, cut));
        const lines = bytes.subarray(0, cut).toString("latin1").split("\n").length - 1;
        const kept = whole.slice(0, Math.max(lines - 1, 0));
        const first = openJournal(file, header);
        expect(first.entries).toEqual(kept);
        first.journal.append({ after: true });
        first.journal.close();
        expect(readAgain(file)).toEqual({ entries: [...kept, { after: true }], cutBytes: 0 });
      }),
      { numRuns: 200 },
    );
  });

  it("with a damaged tail says how many bytes were cut", () => {
    const file = newFile();
    write(file, [{ call: 1 }]);
    writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from('00000000 {"call":2}\n1234')]));
    expect(readAgain(file)).toEqual({ entries: [{ call: 1 }], cutBytes: 24 });
  });

  it("that is damaged in its middle is refused and left as it is", () => {
    const file = newFile();
    write(file, [{ call: 1 }, { call: 2 }, { call: 3 }]);
    const damaged = readFileSync(file, "utf8").replace('{"call":2}', '{"call":7}');
    writeFileSync(file, damaged);
    expect(() => openJournal(file, header)).toThrow(/is damaged in line 3, and whole lines follow it/);
    expect(readFileSync(file, "utf8")).toBe(damaged);
  });

  it("of another seed, and a file that is no journal, are refused and left as they are", () => {
    const file = newFile();
    write(file, [{ call: 1 }]);
    expect(() => openJournal(file, { format: 1, basis: "another" })).toThrow(JournalError);
    writeFileSync(file, "# My shopping list\nmilk\n");
    expect(() => openJournal(file, header)).toThrow("is no journal of the mock");
    expect(readFileSync(file, "utf8")).toBe("# My shopping list\nmilk\n");
  });

  it("says when it cannot be written", () => {
    expect(() => openJournal(join(folder, "missing", "state"), header)).toThrow(/cannot be written: ENOENT/);
  });

  it("that was cleared is empty", () => {
    const file = newFile();
    const { journal } = openJournal(file, header);
    journal.append({ call: 1 });
    journal.clear(header);
    journal.append({ call: 2 });
    journal.close();
    expect(readAgain(file).entries).toEqual([{ call: 2 }]);
  });

  it("says what can differ when it tells another story", () => {
    const file = newFile();
    write(file, []);
    expect(() => openJournal(file, { format: 1, basis: "another" })).toThrow(
      /^\S+ was written by another version of the mock, or with another choice of --seed or --scenario, so /,
    );
  });

  it("cannot be a folder, a device or below a file", () => {
    expect(() => openJournal(folder, header)).toThrow(`${folder} is no file. Give the path of one with --state.`);
    expect(() => openJournal("/dev/null", header)).toThrow("/dev/null is no file.");
    const file = newFile();
    write(file, []);
    expect(() => openJournal(join(file, "state"), header)).toThrow(JournalError);
  });
});
