/** The links of this project in Markdown: `[words](operation:createTransfer)`, P-codes and names of operations. */
import { absentSuffix, isCode, type Operation } from "../../contract/index.ts";
import type { Target } from "../site/pages.ts";
import { type EditionSite, findTarget, type TargetKind, targetKinds } from "../site/site.ts";

const ownLink = new RegExp(`\\[([^\\]]+)\\]\\((${targetKinds.join("|")}):([^)]+)\\)`, "g");

/** The parts of a text in which nothing is linked: code and links. */
const closedParts = /(```[\s\S]*?```|`[^`]*`|\[[^\]]*\]\([^)]*\)|\{\{[^}]*\}\})/;

/** The address of a page of the other edition; undefined where that edition does not have it either. */
export type HrefElsewhere = (kind: TargetKind, name: string) => string | undefined;

/**
 * A Markdown text in which what the contract names is linked. What the edition does not have is marked, and leads to the
 * page of the other edition.
 */
export function linkText(
  text: string,
  site: EditionSite,
  hrefOf: (target: Target) => string,
  hrefElsewhere: HrefElsewhere = () => undefined,
): string {
  const toElsewhere = (marked: string, kind: TargetKind, name: string) => {
    const href = hrefElsewhere(kind, name);
    return href === undefined ? marked : `[${marked}](${href})`;
  };
  const resolved = text.replace(ownLink, (_, words: string, kind: TargetKind, name: string) => {
    const target = findTarget(site, kind, name);
    return target === undefined ? toElsewhere(words + absentSuffix, kind, name) : `[${words}](${hrefOf(target)})`;
  });
  const names = patternOf(site);
  return resolved
    .split(closedParts)
    .map((part, index) => {
      if (index % 2 === 1) return part;
      const linked = site.markAbsent(part).replace(names.pattern, (words: string) => {
        const target = isCode(words) ? findTarget(site, "error", words) : names.targetOf(words);
        return target === undefined ? words : `[${words}](${hrefOf(target)})`;
      });
      return linked.replace(names.absent, (marked: string, words: string) => {
        return toElsewhere(marked, "operation", names.absentId(words));
      });
    })
    .join("");
}

interface Names {
  pattern: RegExp;
  targetOf(words: string): Target | undefined;
  /** Finds the names of absent operations that are marked so. */
  absent: RegExp;
  /** The operationId of a name that was found. */
  absentId(words: string): string;
}

const patterns = new WeakMap<EditionSite, Names>();

/** Finds the P-codes and the names of operations in a text. */
function patternOf(site: EditionSite): Names {
  const known = patterns.get(site);
  if (known !== undefined) return known;
  const operations = new Map(linkedOperations(site).map(({ summary, operationId }) => [summary, operationId]));
  const names = [...operations.keys()].sort((a, b) => b.length - a.length).map(toPattern);
  // A name in parentheses behind another one, "(partner level)", makes a longer name.
  const made: Names = {
    pattern: new RegExp(`\\bP\\d{3}\\b|(?<![\\p{L}\\p{N}])(?:${names.join("|")})(?![\\p{L}\\p{N}]| \\((?!not))`, "gu"),
    targetOf: (words) => {
      const name = operations.get(words.replace(/\s+/g, " "));
      return name === undefined ? undefined : { kind: "operation", name };
    },
    ...absentNames(site),
  };
  patterns.set(site, made);
  return made;
}

function absentNames({ contract }: EditionSite): Pick<Names, "absent" | "absentId"> {
  const ids = new Map(
    Object.entries(contract.absentOperations).flatMap(([id, name]) => [[name, id] as const, [id, id]]),
  );
  const names = [...ids.keys()].filter((name) => name !== "").sort((a, b) => b.length - a.length);
  return {
    absent: new RegExp(`(?<![\\p{L}\\p{N}])(${names.map(toPattern).join("|")}) \\(not in this edition\\)`, "gu"),
    absentId: (words) => ids.get(words.replace(/\s+/g, " ")) ?? words,
  };
}

/** Those whose names mean nothing else: a single word, or the name of a webhook as well, may. */
function linkedOperations({ contract }: EditionSite): Operation[] {
  const taken = new Set(contract.webhooks.map(({ summary }) => summary));
  return contract.operations.filter(({ summary }) => summary.includes(" ") && !taken.has(summary));
}

function toPattern(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
}
