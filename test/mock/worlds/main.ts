/** `npm run breaks` */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { runNpmCommand } from "../../../scripts/cli/kit/npm-command.ts";
import { projectRoot } from "../../../scripts/contract/model/index.ts";
import type { Answers } from "../../../scripts/mock/answers/index.ts";
import { formatAnswers } from "../../../scripts/prove/answers.ts";
import { awaitAll, makeLimit } from "../../../scripts/prove/schedule.ts";
import { type BrokenParts, findBrokenParts } from "./breaks.ts";
import { findProblemsByAnswer, judgedPrograms } from "./programs.ts";
import { worlds } from "./worlds.ts";

const file = `${projectRoot}/generated/breaks.json`;
const text =
  "Runs the parts of this repository with each answer to each open question, and compares what breaks with generated/breaks.json, which the site and the questionnaire show.";
const options = [
  { name: "write", text: "store what breaks in generated/breaks.json instead" },
  { name: "only", value: "TEXT", text: "only answers with this text", defaultValue: "", defaultText: "all" },
];
const nameOf = (world: Answers) => formatAnswers(world).join();

/** For each answer, what breaks with it in each part, except what also breaks with the assumed answers. */
async function runAll(folder: string, only: string): Promise<Record<string, BrokenParts>> {
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

await runNpmCommand("breaks", { text, options }, async (parsedArguments) => {
  const only = parsedArguments.requiredText("only");
  const folder = mkdtempSync(join(tmpdir(), "breaks-"));
  const brokenByAnswer = await runAll(folder, only);
  rmSync(folder, { recursive: true });
  const committedResults = JSON.parse(readFileSync(file, "utf8")) as Record<string, BrokenParts>;
  if (parsedArguments.has("write")) {
    const allResults = worlds.map(nameOf).map((name) => [name, brokenByAnswer[name] ?? committedResults[name] ?? {}]);
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(allResults), null, 1)}\n`);
  } else {
    const staleAnswers = Object.keys({ ...committedResults, ...brokenByAnswer }).filter(
      (name) => name.includes(only) && !isDeepStrictEqual(committedResults[name], brokenByAnswer[name]),
    );
    for (const name of staleAnswers)
      console.error(
        `${name}: ${JSON.stringify(committedResults[name])} is now ${JSON.stringify(brokenByAnswer[name])}`,
      );
    process.exitCode = staleAnswers.length > 0 ? 1 : 0;
  }
});
// Exits explicitly, because programs of guides that have not ended could keep the process alive.
process.exit();
