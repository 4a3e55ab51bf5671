/** What an answer breaks in this repository is the result of `npm run breaks`. */
import { readFileSync } from "node:fs";
import { projectRoot } from "../../base/index.ts";
import { type RunnableAnswers, readRunnableAnswers } from "../../contract/sources/index.ts";

/** The names of the parts that break, by kind. */
type BrokenParts = Readonly<Record<string, readonly string[]>>;

let runnableAnswers: RunnableAnswers | undefined;
let brokenParts: Readonly<Record<string, BrokenParts>> | undefined;

const brokenPartsOf = (id: string, answer: string): BrokenParts | undefined => {
  brokenParts ??= JSON.parse(readFileSync(`${projectRoot}/generated/breaks.json`, "utf8"));
  return brokenParts?.[`${id}=${answer}`];
};

/** Sentences in Markdown, also about what the answer breaks; empty for an answer that is not in `openapi/answers.yaml`. */
export function howToRun(id: string, answer: string): string {
  runnableAnswers ??= readRunnableAnswers();
  const world = runnableAnswers[id]?.[answer];
  if (world === undefined) return "";
  if (world.cannot !== undefined) return `It cannot be run: ${world.cannot}`;
  if (Object.keys(world).length === 0) return "The mock does this by default.";
  const parts = Object.entries(brokenPartsOf(id, answer) ?? {}).map(([part, names]) => `${part} (${names.join("; ")})`);
  const damageSentence =
    parts.length === 0 ? "Nothing here breaks with it." : `With it, this breaks here: ${parts.join(", ")}.`;
  return `To run it: \`npx partner-wallet-api mock --answer "${id}=${answer}"\`. ${damageSentence}`;
}

/** Of the answer that breaks most: how many programs and payments it breaks, and how many parts in all. */
export function damageOf(id: string, answers: readonly string[]): readonly [programs: number, all: number] {
  const counts = answers.map((answer) => {
    const { payments = [], programs = [], ...rest } = brokenPartsOf(id, answer) ?? {};
    const programCount = payments.length + programs.length;
    return [programCount, programCount + Object.values(rest).flat().length] as const;
  });
  return counts.sort(([a, allA], [b, allB]) => b - a || allB - allA)[0] ?? [0, 0];
}
