/** How to run each answer to an open question with the mock, and what breaks here with it (`npm run breaks`). */
import { readFileSync } from "node:fs";
import { projectRoot } from "../../contract/model/index.ts";
import { type RunnableAnswers, readRunnableAnswers } from "../../contract/sources/index.ts";

/** The words for each kind of thing that breaks. */
type Broken = Readonly<Record<string, readonly string[]>>;

let runnable: RunnableAnswers | undefined;
let broken: Readonly<Record<string, Broken>> | undefined;

const brokenBy = (id: string, answer: string): Broken | undefined => {
  broken ??= JSON.parse(readFileSync(`${projectRoot}/generated/breaks.json`, "utf8"));
  return broken?.[`${id}=${answer}`];
};

/** Sentences in Markdown; empty for an answer that is not in `openapi/answers.yaml`. */
export function howToRun(id: string, answer: string): string {
  runnable ??= readRunnableAnswers();
  const world = runnable[id]?.[answer];
  if (world === undefined) return "";
  if (world.cannot !== undefined) return `It cannot be run: ${world.cannot}`;
  if (Object.keys(world).length === 0) return "The mock does this by default.";
  const parts = Object.entries(brokenBy(id, answer) ?? {}).map(([part, names]) => `${part} (${names.join("; ")})`);
  const breaks =
    parts.length === 0 ? "Nothing here breaks with it." : `With it, this breaks here: ${parts.join(", ")}.`;
  return `To run it: \`npx partner-wallet-api mock --answer "${id}=${answer}"\`. ${breaks}`;
}

/** How much breaks here with the worst answer: first programs and payments, then everything. */
export function damageOf(id: string, answers: readonly string[]): readonly [programs: number, all: number] {
  const counts = answers.map((answer) => {
    const { payments = [], programs = [], ...rest } = brokenBy(id, answer) ?? {};
    const moving = payments.length + programs.length;
    return [moving, moving + Object.values(rest).flat().length] as const;
  });
  return counts.sort(([a, allA], [b, allB]) => b - a || allB - allA)[0] ?? [0, 0];
}
