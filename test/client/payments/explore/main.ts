/**
 * `npm run explore`: explores the engine of `partner-wallet-api/payments`, by default in every world at full bounds. README.md explains the
 * options and the output.
 */
import type { Arguments, Option } from "../../../../scripts/cli/kit/arguments.ts";
import { runNpmCommand } from "../../../../scripts/cli/kit/npm-command.ts";
import { ablations } from "./ablations.ts";
import { partOf } from "./parts.ts";
import { type CaseResult, runCases } from "./run.ts";
import { fullCases, longCases, quickCases } from "./worlds.ts";

const partPattern = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/;

const text = "Explores the engine of payments in every world, or without each of its rules.";
const options: Option[] = [
  { name: "quick", text: "only the worlds of `npm run test:all`, each alone, with one fault" },
  { name: "long", text: "only two payments with two faults" },
  {
    name: "part",
    value: "K/N",
    text: "only the K-th of N parts",
    check: (part) => {
      const [, number, count] = partPattern.exec(part) ?? [];
      return Number(number) <= Number(count) ? undefined : "two whole numbers, such as 3/10";
    },
  },
  {
    name: "only",
    value: "TEXT",
    text: "only the worlds or rules with this text in their name",
    defaultValue: "",
    defaultText: "all",
  },
  { name: "rules", text: "without each rule: finds the story that shows why it is needed" },
];

function print({
  name,
  stateCount,
  transitionCount,
  unexpandedCount,
  limits,
  violation,
  story = [],
  seconds,
  megabytes,
}: CaseResult): void {
  const limitTexts = Object.entries(limits).map(([text, count]) => `${count} states end at a stated limit: ${text}`);
  const unexpandedText = unexpandedCount === 0 ? "complete" : `${unexpandedCount} left`;
  console.log(
    [
      name,
      `${stateCount} states, ${transitionCount} transitions, ${unexpandedText}`,
      `${seconds} s`,
      `${megabytes} MB`,
      ...limitTexts,
    ].join(" | "),
  );
  if (violation !== undefined)
    console.log([`  ${violation}`, ...story.map((step, index) => `  ${index + 1}. ${step}`)].join("\n"));
}

async function exploreWorlds(commandArguments: Arguments): Promise<boolean> {
  const [, number = "1", count = "1"] = partPattern.exec(commandArguments.text("part") ?? "") ?? [];
  const allCases = commandArguments.has("quick") ? quickCases : commandArguments.has("long") ? longCases : fullCases;
  const namedCases = allCases.filter(({ name }) => name.includes(commandArguments.requiredText("only")));
  const cases = partOf(namedCases, Number(number), Number(count));
  const results = await runCases(cases, { onResult: print });
  const sum = (member: "stateCount" | "transitionCount" | "unexpandedCount") =>
    results.reduce((sum, result) => sum + result[member], 0);
  const wrongCount = results.filter(({ violation }) => violation !== undefined).length;
  console.log(
    `${results.length} worlds, ${sum("stateCount")} states, ${sum("transitionCount")} transitions, ${sum("unexpandedCount")} states left, ${wrongCount} wrong`,
  );
  return results.length > 0 && wrongCount === 0;
}

/** Removes each selected rule in turn. Returns whether each rule that is needed for safety led to a violation, which is printed. */
async function exploreRules(commandArguments: Arguments): Promise<boolean> {
  const missedRules: string[] = [];
  for (const ablation of ablations.filter(({ rule }) => rule.includes(commandArguments.requiredText("only")))) {
    const [result] = await runCases(ablation.violatedCase === undefined ? [] : [ablation.violatedCase], { ablation });
    console.log(`Without ${ablation.rule}:`);
    if (result === undefined) console.log("  not needed for safety, and not explored");
    else print(result);
    if (result !== undefined && result.violation === undefined) missedRules.push(ablation.rule);
  }
  return missedRules.length === 0;
}

await runNpmCommand("explore", { text, options }, async (commandArguments) => {
  if (!(await (commandArguments.has("rules") ? exploreRules(commandArguments) : exploreWorlds(commandArguments))))
    process.exitCode = 1;
});
