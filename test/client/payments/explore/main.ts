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
  left,
  limits,
  violation,
  story = [],
  seconds,
  megabytes,
}: CaseResult): void {
  const limit = Object.entries(limits).map(([text, count]) => `${count} states end at a stated limit: ${text}`);
  const open = left === 0 ? "complete" : `${left} left`;
  console.log(
    [name, `${states} states, ${transitions} transitions, ${open}`, `${seconds} s`, `${megabytes} MB`, ...limit].join(
      " | ",
    ),
  );
  if (violation !== undefined)
    console.log([`  ${violation}`, ...story.map((step, index) => `  ${index + 1}. ${step}`)].join("\n"));
}

async function exploreWorlds(): Promise<boolean> {
  const cases = (values.quick ? quickCases : values.half ? halfCases : fullCases).filter(({ name }) =>
    name.includes(values.only ?? ""),
  );
  const results = await runCases(cases, { onResult: print });
  const sum = (member: "states" | "transitions" | "left") => results.reduce((all, result) => all + result[member], 0);
  const wrong = results.filter(({ violation }) => violation !== undefined).length;
  console.log(
    `${results.length} worlds, ${sum("states")} states, ${sum("transitions")} transitions, ${sum("left")} states left, ${wrong} wrong`,
  );
  return results.length > 0 && wrong === 0;
}

/** Removes each rule in turn, and prints the story that shows its absence. Returns whether there is one for each rule. */
async function exploreRules(): Promise<boolean> {
  const missed: string[] = [];
  for (const ablation of ablations.filter(({ rule }) => rule.includes(values.only ?? ""))) {
    const [result] = await runCases(ablation.found === undefined ? [] : [ablation.found], { ablation });
    console.log(`Without ${ablation.rule}:`);
    if (result === undefined) console.log("  not needed for safety, and not explored");
    else print(result);
    if (result !== undefined && result.violation === undefined) missed.push(ablation.rule);
  }
  return missed.length === 0;
}

if (values.help) console.log("npm run explore [-- --quick | --half | --rules] [-- --only TEXT]");
else if (!(await (values.rules ? exploreRules() : exploreWorlds()))) process.exitCode = 1;
