/** `npm run breaks` */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { projectRoot } from "../../../scripts/base/index.ts";
import { runNpmCommand } from "../../../scripts/cli/kit/npm-command.ts";
import type { BrokenParts } from "./breaks.ts";

const file = `${projectRoot}/generated/breaks.json`;
const text =
  "Runs the parts of this repository with each answer to each open question, and compares what breaks with generated/breaks.json, which the site and the questionnaire show.";
const options = [
  { name: "write", text: "store what breaks in generated/breaks.json instead" },
  { name: "only", value: "TEXT", text: "only answers with this text", defaultValue: "", defaultText: "all" },
];

await runNpmCommand("breaks", { text, options }, async (parsedArguments) => {
  // Loaded on demand, because these modules take seconds, also for --help.
  const { allAnswers, runAll } = await import("./run-all.ts");
  const only = parsedArguments.requiredText("only");
  const folder = mkdtempSync(join(tmpdir(), "breaks-"));
  const brokenByAnswer = await runAll(folder, only);
  rmSync(folder, { recursive: true });
  const committedResults = JSON.parse(readFileSync(file, "utf8")) as Record<string, BrokenParts>;
  if (parsedArguments.has("write")) {
    const allResults = allAnswers.map((name) => [name, brokenByAnswer[name] ?? committedResults[name] ?? {}]);
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
