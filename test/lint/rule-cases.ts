import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { expect } from "vitest";
import type { Finding } from "../../scripts/lint/index.ts";
import type { Rule } from "../../scripts/lint/rule.ts";
import { rules } from "../../scripts/lint/rules/index.ts";
import { type Edits, editClean, lintTexts, pathOf, replaceOnce, takeMark } from "./clean-contract.ts";

/** The first lines of rule-cases.yaml describe the fields. */
export interface RuleCase {
  description?: string;
  edit?: Edits;
  position?: Record<string, string>;
  problem: string;
  remedy?: string;
  otherRules?: string[];
}

const text = readFileSync(new URL("./rule-cases.yaml", import.meta.url), "utf8");
export const cases = parseYaml(text) as Record<string, RuleCase[]>;

type FindingsOf = (mistake: RuleCase) => Promise<Finding[]>;

/** Expects that the rule reports the mistake where it is marked, and that no other rules report anything, except `otherRules`. */
export async function expectReport(rule: Rule, mistake: RuleCase, findingsOf: FindingsOf): Promise<void> {
  const { problem: expectedProblem, remedy: expectedRemedy, otherRules = [] } = mistake;
  const { place } = brokenContractOf(mistake);
  const findings = await findingsOf(mistake);
  const ownFindings = findings.filter((finding) => finding.rule === `contract/${rule.name}`);
  expect(ownFindings.map(placeOf)).toEqual([place]);
  const [problem, remedy] = ownFindings[0]?.message.split(" Remedy: ") ?? [];
  expect(problem).toBe(expectedProblem);
  expect(remedy).toMatch(/^\S.+\.$/);
  if (expectedRemedy !== undefined) expect(remedy).toBe(expectedRemedy);
  expect(ownFindings[0]?.severity).toBe(rule.severity ?? "error");
  const otherFindings = findings.filter((finding) => !ownFindings.includes(finding));
  expect(otherFindings.map((finding) => finding.rule)).toEqual(otherRules.map((name) => `contract/${name}`));
}

/**
 * Lints the mistakes in batches. A mistake is linted alone if the findings of its batch are not as expected, because one mistake can hide
 * another, or if another mistake of the batch has findings of the same rules.
 */
export function lintTogether(mistakes: readonly RuleCase[]): FindingsOf {
  let batches: Batch[] | undefined;
  return async (mistake) => {
    batches ??= makeBatches(mistakes);
    const batch = batches.find((candidate) => candidate.mistakes.includes(mistake)) as Batch;
    batch.findings ??= lintTexts(textsWith(batch.mistakes)).then(({ findings }) => findings);
    const batchFindings = await batch.findings;
    const expected = batch.mistakes.flatMap(rulesOf).sort();
    const isAsExpected = JSON.stringify(batchFindings.map(({ rule }) => rule).sort()) === JSON.stringify(expected);
    const mistakesOfSameRules = batch.mistakes.filter((other) =>
      rulesOf(other).some((rule) => rulesOf(mistake).includes(rule)),
    );
    if (!isAsExpected || mistakesOfSameRules.length > 1) return (await lintTexts(textsWith([mistake]))).findings;
    return batchFindings.filter(({ rule }) => rulesOf(mistake).includes(rule));
  };
}

interface BrokenContract {
  readonly ruleName: string;
  readonly changedFiles: ReadonlyMap<string, string | null>;
  readonly place: string;
}

const cleanTexts = editClean({});
const brokenContracts = new Map<RuleCase, BrokenContract>();

function brokenContractOf(mistake: RuleCase): BrokenContract {
  const knownContract = brokenContracts.get(mistake);
  if (knownContract !== undefined) return knownContract;
  const rule = rules.find(({ name }) => cases[name]?.includes(mistake)) as Rule;
  const { edit = exampleEdit(rule), position = {} } = mistake;
  const texts = editClean(edit);
  for (const [file, marked] of Object.entries(position)) {
    texts.set(file, replaceOnce(texts.get(file) ?? "", [marked.replace("»", ""), marked]));
  }
  const place = takeMark(texts);
  const paths = [...new Set([...cleanTexts.keys(), ...texts.keys(), ...Object.keys(position)])];
  const differingPaths = paths.filter((path) => cleanTexts.get(path) !== texts.get(path) || path in position);
  const changedFiles = new Map(differingPaths.map((path) => [path, texts.get(path) ?? null]));
  const brokenContract = { ruleName: rule.name, changedFiles, place };
  brokenContracts.set(mistake, brokenContract);
  return brokenContract;
}

const placeOf = ({ file, line, column }: Finding) => `${pathOf(file)}:${line}:${column}`;

function textsWith(mistakes: readonly RuleCase[]): Map<string, string> {
  const texts = new Map(cleanTexts);
  for (const [path, text] of mistakes.flatMap((mistake) => [...brokenContractOf(mistake).changedFiles])) {
    if (text === null) texts.delete(path);
    else texts.set(path, text);
  }
  return texts;
}

interface Batch {
  readonly mistakes: RuleCase[];
  findings?: Promise<Finding[]>;
}

/** The mistakes of a batch are in different files and break different rules. */
function makeBatches(mistakes: readonly RuleCase[]): Batch[] {
  const newBatches: Batch[] = [];
  for (const mistake of mistakes) {
    const { ruleName, changedFiles } = brokenContractOf(mistake);
    const isSuitable = ({ mistakes }: { mistakes: RuleCase[] }) =>
      mistakes.map(brokenContractOf).every((other) => {
        return other.ruleName !== ruleName && ![...other.changedFiles.keys()].some((path) => changedFiles.has(path));
      });
    const batch = newBatches.find(isSuitable);
    if (batch === undefined) newBatches.push({ mistakes: [mistake] });
    else batch.mistakes.push(mistake);
  }
  return newBatches;
}

const rulesOf = (mistake: RuleCase) =>
  [brokenContractOf(mistake).ruleName, ...(mistake.otherRules ?? [])].map((name) => `contract/${name}`);

export function exampleOf({ example }: Pick<Rule, "example">, side: "wrong" | "right"): string {
  const otherSign = side === "wrong" ? "+" : "-";
  const lines = example.trimEnd().split("\n");
  return lines.flatMap((line) => (line.startsWith(otherSign) ? [] : [line.slice(2)])).join("\n");
}

function exampleEdit(rule: Rule): Edits {
  const [right = "", wrong = ""] = (["right", "wrong"] as const).map((side) => exampleOf(rule, side));
  const text = editClean({}).get(rule.file) ?? "";
  for (let indent = ""; indent.length < 20; indent += "  ") {
    // Removes the comments of the examples, which the files do not contain.
    const lines = [right, wrong].map((example) => `${example}\n`.replace(/^#.*\n/gm, "").replace(/^(?=.)/gm, indent));
    if (text.includes(lines[0] ?? "")) return { [rule.file]: lines };
  }
  throw new Error(`The right lines of ${rule.name} are not in ${rule.file}.`);
}
