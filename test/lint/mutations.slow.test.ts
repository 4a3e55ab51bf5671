import fc from "fast-check";
import { expect, it } from "vitest";
import { editClean, lintTexts, type Texts } from "./clean-contract.ts";

const wrongValues = ["", "null", "true", "-1", "[]", "{}", "[[]]", "{ a: { b: null } }", "constructor", "$ref: '#/'"];

/** Ways to damage one line. `value` is one of {@link wrongValues}, and `other` is another line of the file. */
const damages: Record<string, (line: string, value: string, other: string) => string[]> = {
  removed: () => [],
  repeated: (line) => [line, line],
  "with another value": (line, value) => [line.replace(/:( .*)?$/, `: ${value}`)],
  "with another key": (line, _, other) => [
    line.replace(/^(\s*-? *)[\w$-]+:/, `$1${/([\w$-]+):/.exec(other)?.[1] ?? "x"}:`),
  ],
  replaced: (line, _, other) => [/^\s*/.exec(line)?.[0] + other.trim()],
  indented: (line) => [`  ${line}`],
};

function damage(texts: Texts, [file, at, kind, value, otherLine]: [number, number, string, string, number]): void {
  const name = [...texts.keys()][file % texts.size] as string;
  const lines = texts.get(name)?.split("\n") ?? [];
  const line = at % lines.length;
  const other = lines[otherLine % lines.length] as string;
  lines.splice(line, 1, ...(damages[kind]?.(lines[line] as string, value, other) ?? []));
  texts.set(name, lines.join("\n"));
}

it("every damaged contract gets findings with a place, and never throws", { timeout: 120_000 }, async () => {
  const number = fc.nat(10_000);
  const oneDamage = fc.tuple(
    number,
    number,
    fc.constantFrom(...Object.keys(damages)),
    fc.constantFrom(...wrongValues),
    number,
  );
  const property = fc.asyncProperty(fc.array(oneDamage, { minLength: 1, maxLength: 3 }), async (damageList) => {
    const texts = editClean({});
    for (const each of damageList) damage(texts, each);
    const { findings } = await lintTexts(texts);
    for (const { file, line, message } of findings)
      expect([file, line, message]).toEqual([expect.any(String), expect.any(Number), expect.any(String)]);
  });
  await fc.assert(property, { numRuns: 150 });
});
