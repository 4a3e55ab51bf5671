/** Whether what the guides name is there: links, blocks, marks and headings. */
import { type JsonSchema, provenances, UsageError } from "../../contract/index.ts";
import type { Guide } from "./guides.ts";
import { slugOf } from "./pages.ts";
import { findTarget, type SiteContent, type TargetKind, targetKinds } from "./site.ts";

type Takes = (words: string[], site: SiteContent) => boolean;

/** Whether the words behind the name of a block are what it takes, by its name. */
const blockArguments = {
  journey: (ids, { journeys }) => isOne(ids, (id) => journeys.some(({ workflowId }) => workflowId === id)),
  sample: ([id = "", example], site) => hasExample(site, id, example),
  values: (names, { contract }) =>
    isOne(names, (name) => {
      const { value } = contract.root.own("components", "schemas", name);
      return (value as JsonSchema | undefined)?.["x-open-enum"] !== undefined;
    }),
  lifecycle: (names, site) => isOne(names, (name) => findTarget(site, "lifecycle", name) !== undefined),
  codes: (ids, site) => ids.length > 0 && ids.every((id) => findTarget(site, "operation", id) !== undefined),
  questions: (ids, { questions }) => ids.length > 0 && ids.every((id) => Object.hasOwn(questions, id)),
  operations: (words, site) => findTarget(site, "area", words.join(" ")) !== undefined,
  "error-table": isEmpty,
  "errors-without-code": isEmpty,
  "webhook-table": isEmpty,
  delivery: isEmpty,
  "sensitive-fields": isEmpty,
  "provenance-classes": isEmpty,
} satisfies Record<string, Takes>;

/** The names of the blocks. */
export type BlockName = keyof typeof blockArguments;

function isOne(words: readonly string[], isRight: (word: string) => boolean): boolean {
  return words.length === 1 && isRight(words[0] as string);
}

function isEmpty(words: readonly string[]): boolean {
  return words.length === 0;
}

function hasExample({ contract }: SiteContent, id: string, example: string | undefined): boolean {
  const operation = contract.operations.find(({ operationId }) => operationId === id);
  if (operation === undefined || example === undefined) return operation !== undefined;
  const bodies = [...(operation.requestBody?.bodies ?? []), ...operation.answers.flatMap((answer) => answer.bodies)];
  return bodies.some(({ examples }) => examples.some(({ name }) => name === example));
}

/**
 * Checks every guide.
 *
 * @throws {UsageError} naming everything that is wrong, with its file and line.
 */
export function checkGuides(site: SiteContent): void {
  const problems = site.guides.flatMap((guide) => problemsOfGuide(guide, site));
  if (problems.length > 0) throw new UsageError(problems.join("\n"));
}

/** What is wrong with a guide: file, line and remedy. */
export function problemsOfGuide(guide: Guide, site: SiteContent): string[] {
  const { name, text, firstLine } = guide;
  // Code may show anything. Its lines stay, so that the numbers of the lines are right.
  const prose = text.replace(/^```[\s\S]*?^```$/gm, (code) => code.replace(/[^\n]/g, "")).replace(/`[^`\n]*`/g, "");
  const problems: string[] = [];
  const headings = new Set<string>();
  for (const [, words = ""] of prose.matchAll(/^#+ (.*)$/gm)) headings.add(slugOf(words));
  const seen = new Set<string>();
  const lines = prose.split("\n");
  lines.forEach((line, index) => {
    const isAlone = [lines[index - 1], lines[index + 1]].every((beside) => (beside ?? "") === "");
    for (const problem of [...problemsOfLine(line, headings, seen, site), ...problemsOfBlock(line, isAlone, site)]) {
      problems.push(`openapi/guides/${name}.md:${firstLine + index}: ${problem}`);
    }
  });
  return problems;
}

function problemsOfLine(line: string, headings: Set<string>, seen: Set<string>, site: SiteContent): string[] {
  const problems: string[] = [];
  for (const [, target = ""] of line.matchAll(/\]\(([^)]*)\)/g)) {
    const [kind = "", ...rest] = target.split(":");
    if (target.startsWith("#")) {
      if (!headings.has(target.slice(1))) problems.push(`There is no heading ${target} in this guide.`);
    } else if (!targetKinds.includes(kind as TargetKind)) {
      problems.push(`The link ${target} is of no known kind. Known: ${targetKinds.join(", ")}.`);
    } else if (findTarget(site, kind as TargetKind, rest.join(":")) === undefined) {
      problems.push(`There is no ${kind} ${rest.join(":")}. Correct the name in the link.`);
    }
  }
  for (const [mark, kind = ""] of line.matchAll(/\{mark:([^}]*)\}/g)) {
    const known = [...provenances, "sensitive"];
    if (!known.includes(kind)) problems.push(`${mark} is no mark. Known: ${known.join(", ")}.`);
  }
  const [, heading] = /^#+ (.*)$/.exec(line) ?? [];
  if (heading !== undefined) {
    if (seen.has(slugOf(heading))) problems.push(`The heading "${heading}" is in this guide twice.`);
    seen.add(slugOf(heading));
  }
  for (const [code] of line.matchAll(/\bP\d{3}\b/g)) {
    if (findTarget(site, "error", code) === undefined) problems.push(`There is no P-code ${code}.`);
  }
  return problems;
}

function problemsOfBlock(line: string, isAlone: boolean, site: SiteContent): string[] {
  if (!line.includes("{{") && !line.includes("}}")) return [];
  const [, call] = /^\{\{([^{}]+)\}\}$/.exec(line) ?? [];
  if (call === undefined || !isAlone)
    return ["A block stands alone on its line, between empty ones: {{name argument}}."];
  const [name = "", ...words] = call.trim().split(/\s+/);
  const takes: Takes | undefined = Object.hasOwn(blockArguments, name) ? blockArguments[name as BlockName] : undefined;
  if (takes === undefined) return [`There is no block ${name}. Known: ${Object.keys(blockArguments).join(", ")}.`];
  return takes(words, site)
    ? []
    : [`The block ${name} cannot show "${words.join(" ")}": the contract has no such thing.`];
}
