/** `npm run explore`: explores the engine of `partner-wallet-api/payments` in every world, at full bounds. README.md explains the output. */
import { parseArgs } from "node:util";
import { ablations } from "./ablations.ts";
import { type CaseResult, runCases } from "./run.ts";
import { fullCases, halfCases, quickCases } from "./worlds.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean" },
    half: { type: "boolean" },
    rules: { type: "boolean" },
    only: { type: "string" },
    help: { type: "boolean" },
  },
});

function print({
  name,
  states,
  transitions,
  unexpanded,
  limits,
  violation,
  story = [],
  seconds,
  megabytes,
}: CaseResult): void {
  const limit = Object.entries(limits).map(([text, count]) => `${count} states end at a stated limit: ${text}`);
  const unexpandedText = unexpanded === 0 ? "complete" : `${unexpanded} left`;
  console.log(
    [
      name,
      `${states} states, ${transitions} transitions, ${unexpandedText}`,
      `${seconds} s`,
      `${megabytes} MB`,
      ...limit,
    ].join(" | "),
  );
  if (violation !== undefined)
    console.log([`  ${violation}`, ...story.map((step, index) => `  ${index + 1}. ${step}`)].join("\n"));
}

async function exploreWorlds(): Promise<boolean> {
  const cases = (values.quick ? quickCases : values.half ? halfCases : fullCases).filter(({ name }) =>
    name.includes(values.only ?? ""),
  );
  const results = await runCases(cases, { onResult: print });
  const sum = (member: "states" | "transitions" | "unexpanded") =>
    results.reduce((all, result) => all + result[member], 0);
  const wrongCount = results.filter(({ violation }) => violation !== undefined).length;
  console.log(
    `${results.length} worlds, ${sum("states")} states, ${sum("transitions")} transitions, ${sum("unexpanded")} states left, ${wrongCount} wrong`,
  );
  return results.length > 0 && wrongCount === 0;
}

/** Removes each rule in turn, and prints the story that shows its absence. Returns whether there is one for each rule. */
async function exploreRules(): Promise<boolean> {
  const missedRules: string[] = [];
  for (const ablation of ablations.filter(({ rule }) => rule.includes(values.only ?? ""))) {
    const [result] = await runCases(ablation.violatedCase === undefined ? [] : [ablation.violatedCase], { ablation });
    console.log(`Without ${ablation.rule}:`);
    if (result === undefined) console.log("  not needed for safety, and not explored");
    else print(result);
    if (result !== undefined && result.violation === undefined) missedRules.push(ablation.rule);
  }
  return missedRules.length === 0;
}

if (values.help) console.log("npm run explore [-- --quick | --half | --rules] [-- --only TEXT]");
else if (!(await (values.rules ? exploreRules() : exploreWorlds()))) process.exitCode = 1;
