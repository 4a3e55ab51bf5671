import fc from "fast-check";
import { expect, it } from "vitest";
import { editClean, lintTexts, type Texts } from "./clean-contract.ts";

const wrongValues = ["", "null", "true", "-1", "[]", "{}", "[[]]", "{ a: { b: null } }", "constructor", "$ref: '#/'"];

/** Ways to damage one line. `value` is one of {@link wrongValues}, and `otherLine` is any line of the file. */
const damages: Record<string, (line: string, value: string, otherLine: string) => string[]> = {
  removed: () => [],
  repeated: (line) => [line, line],
  "with another value": (line, value) => [line.replace(/:( .*)?$/, `: ${value}`)],
  "with another key": (line, _, otherLine) => [
    line.replace(/^(\s*-? *)[\w$-]+:/, `$1${/([\w$-]+):/.exec(otherLine)?.[1] ?? "x"}:`),
  ],
  replaced: (line, _, otherLine) => [/^\s*/.exec(line)?.[0] + otherLine.trim()],
  indented: (line) => [`  ${line}`],
};

type Damage = [fileNumber: number, lineNumber: number, kind: string, value: string, otherLineNumber: number];

/** Each number is taken modulo the number of files or lines. */
function applyDamage(texts: Texts, [fileNumber, lineNumber, kind, value, otherLineNumber]: Damage): void {
  const name = [...texts.keys()][fileNumber % texts.size] as string;
  const lines = texts.get(name)?.split("\n") ?? [];
  const index = lineNumber % lines.length;
  const otherLine = lines[otherLineNumber % lines.length] as string;
  lines.splice(index, 1, ...(damages[kind]?.(lines[index] as string, value, otherLine) ?? []));
  texts.set(name, lines.join("\n"));
}

it("every damaged contract gets findings with a place, and never throws", { timeout: 120_000 }, async () => {
  const number = fc.nat(10_000);
  const damage = fc.tuple(
    number,
    number,
    fc.constantFrom(...Object.keys(damages)),
    fc.constantFrom(...wrongValues),
    number,
  );
  const property = fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damageList) => {
    const texts = editClean({});
    for (const appliedDamage of damageList) applyDamage(texts, appliedDamage);
    const { findings } = await lintTexts(texts);
    for (const { file, line, message } of findings)
      expect([file, line, message]).toEqual([expect.any(String), expect.any(Number), expect.any(String)]);
  });
  await fc.assert(property, { numRuns: 150 });
});
