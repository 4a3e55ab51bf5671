/**
 * `npm run breaks`: runs what is here with each answer to each open question, and compares what breaks with `generated/breaks.json`, which
 * the site and the questionnaire show.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { projectRoot } from "../../../scripts/contract/model/index.ts";
import type { Answers } from "../../../scripts/mock/answers/index.ts";
import { awaitAll, makeLimit } from "../../../scripts/prove/schedule.ts";
import { formatAnswers } from "../../../scripts/prove/worlds.ts";
import { type Broken, brokenBy } from "./breaks.ts";
import { judgedPrograms, wrongAnswers } from "./programs.ts";
import { worlds } from "./worlds.ts";

const file = `${projectRoot}/generated/breaks.json`;
const { values: given } = parseArgs({ options: { write: { type: "boolean" }, only: { type: "string", default: "" } } });
const nameOf = (world: Answers) => formatAnswers(world).join();

/** What breaks with each answer, and not in the assumed world. */
async function runAll(folder: string): Promise<Record<string, Broken>> {
  const found: Record<string, Broken> = {};
  const usual = await brokenBy({});
  for (const world of worlds.filter((one) => nameOf(one).includes(given.only))) {
    const parts = Object.entries(await brokenBy(world)).map(([part, names]) => {
      const before = usual[part as keyof Broken] ?? [];
      return [part, names.filter((name) => !before.includes(name))] as const;
    });
    found[nameOf(world)] = Object.fromEntries(parts.filter(([, names]) => names.length > 0));
    console.log(nameOf(world), JSON.stringify(found[nameOf(world)]));
  }
  const limit = makeLimit(4);
  const { programs, missing } = await judgedPrograms(folder);
  const tasks = programs.map((program) => async () => {
    for (const [answer, problems] of await wrongAnswers(program, given.only)) {
      const { programs: others = [], payments = [], ...rest } = found[answer] ?? {};
      const broken = [...others, `${program.name}: ${problems.join(", ")}`].sort();
      found[answer] = { ...(payments.length > 0 && { payments }), programs: broken, ...rest };
    }
    console.log(program.name);
  });
  await awaitAll(tasks.map(limit));
  if (missing.length > 0) console.log(`Not installed, and so not run: ${missing.join(", ")}`);
  return found;
}

const folder = mkdtempSync(join(tmpdir(), "breaks-"));
const found = await runAll(folder);
rmSync(folder, { recursive: true });
const committed = JSON.parse(readFileSync(file, "utf8")) as Record<string, Broken>;
if (given.write) {
  const all = worlds.map(nameOf).map((name) => [name, found[name] ?? committed[name] ?? {}]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`);
} else {
  const stale = Object.keys({ ...committed, ...found }).filter(
    (name) => name.includes(given.only) && !isDeepStrictEqual(committed[name], found[name]),
  );
  for (const name of stale)
    console.error(`${name}: ${JSON.stringify(committed[name])} is now ${JSON.stringify(found[name])}`);
  process.exitCode = stale.length > 0 ? 1 : 0;
}
// Programs of guides that have not ended can wait for something.
process.exit();
