import type { Answers } from "../../../scripts/mock/answers/index.ts";
import { formatAnswers } from "../../../scripts/prove/answers.ts";
import { awaitAll, makeLimit } from "../../../scripts/prove/schedule.ts";
import { type BrokenParts, findBrokenParts } from "./breaks.ts";
import { findProblemsByAnswer, judgedPrograms } from "./programs.ts";
import { worlds } from "./worlds.ts";

const nameOf = (world: Answers) => formatAnswers(world).join();

/** The names of all answers, in the order of generated/breaks.json. */
export const allAnswers: readonly string[] = worlds.map(nameOf);

/** For each answer, what breaks with it in each part, except what also breaks with the assumed answers. */
export async function runAll(folder: string, only: string): Promise<Record<string, BrokenParts>> {
  const brokenByAnswer: Record<string, BrokenParts> = {};
  const brokenByDefault = await findBrokenParts({});
  for (const world of worlds.filter((answers) => nameOf(answers).includes(only))) {
    const parts = Object.entries(await findBrokenParts(world)).map(([part, names]) => {
      const defaultNames = brokenByDefault[part as keyof BrokenParts] ?? [];
      return [part, names.filter((name) => !defaultNames.includes(name))] as const;
    });
    brokenByAnswer[nameOf(world)] = Object.fromEntries(parts.filter(([, names]) => names.length > 0));
    console.log(nameOf(world), JSON.stringify(brokenByAnswer[nameOf(world)]));
  }
  const limit = makeLimit(4);
  const { programs, missingLanguages } = await judgedPrograms(folder);
  const tasks = programs.map((program) => async () => {
    for (const [answer, problems] of await findProblemsByAnswer(program, only)) {
      const { programs: otherPrograms = [], payments = [], ...rest } = brokenByAnswer[answer] ?? {};
      const brokenPrograms = [...otherPrograms, `${program.name}: ${problems.join(", ")}`].sort();
      brokenByAnswer[answer] = { ...(payments.length > 0 && { payments }), programs: brokenPrograms, ...rest };
    }
    console.log(program.name);
  });
  await awaitAll(tasks.map(limit));
  if (missingLanguages.length > 0) console.log(`Not installed, and so not run: ${missingLanguages.join(", ")}`);
  return brokenByAnswer;
}
