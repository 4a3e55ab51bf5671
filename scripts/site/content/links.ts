/** Links in Markdown such as `[words](operation:createTransfer)`. P-codes and operation names become links too. */
import { escapePattern, found } from "../../base/index.ts";
import { type Expression, isCode, type Operation, parseExpression } from "../../contract/model/index.ts";
import { codeList, listWords, wordsOf } from "../text/words.ts";
import { memoizeByKey } from "./memoize.ts";
import type { Target } from "./pages.ts";
import { findTarget, type SiteContent, type TargetKind, targetKinds, titleOfTarget } from "./site.ts";

const projectLink = new RegExp(`\\[([^\\]]*)\\]\\((${targetKinds.join("|")}):([^)]+)\\)`, "g");

/** No links are added inside these parts. */
const closedParts = /(```[\s\S]*?```|`[^`]*`|\[[^\]]*\]\([^)]*\)|\{\{[^}]*\}\})/;

/**
 * A link without words gets the title of its page. A link to something that does not exist is replaced by its words, or by the name if it
 * has none.
 */
export function linkText(text: string, site: SiteContent, hrefOf: (target: Target) => string): string {
  const resolvedText = text.replace(projectLink, (_, words: string, kind: TargetKind, name: string) => {
    const target = findTarget(site, kind, name);
    return target === undefined ? words || name : `[${words || titleOfTarget(site, kind, name)}](${hrefOf(target)})`;
  });
  const names = patternOf(site);
  return resolvedText
    .split(closedParts)
    .map((part, index) => {
      if (index % 2 === 1) return part;
      return part.replace(names.pattern, (words: string) => {
        const target = isCode(words) ? findTarget(site, "error", words) : names.targetOf(words);
        return target === undefined ? words : `[${words}](${hrefOf(target)})`;
      });
    })
    .join("");
}

const patternOf = memoizeByKey((site: SiteContent) => {
  const operations = new Map(linkedOperations(site).map(({ summary, operationId }) => [summary, operationId]));
  const names = [...operations.keys()]
    .sort((a, b) => b.length - a.length)
    .map((name) => escapePattern(name).replace(/\s+/g, "\\s+"));
  // A name followed by a parenthesis, such as "(partner level)", is the name of another operation, so it does not match.
  return {
    pattern: new RegExp(`\\bP\\d{3}\\b|(?<![\\p{L}\\p{N}])(?:${names.join("|")})(?![\\p{L}\\p{N}]| \\()`, "gu"),
    targetOf: (words: string): Target | undefined => {
      const name = operations.get(words.replace(/\s+/g, " "));
      return name === undefined ? undefined : { kind: "operation", name };
    },
  };
});

/** A summary is unambiguous if it has more than one word and is not the summary of a webhook. */
function linkedOperations({ contract }: SiteContent): Operation[] {
  const webhookSummaries = new Set(contract.webhooks.map(({ summary }) => summary));
  return contract.operations.filter(({ summary }) => summary.includes(" ") && !webhookSummaries.has(summary));
}

export function linksTo(kind: TargetKind, names: readonly string[], conjunction: "and" | "or"): string {
  return listWords(
    names.map((name) => `[](${kind}:${name})`),
    conjunction,
  );
}

export function resourceLink(name: string): string {
  return `[${wordsOf(name)}](lifecycle:${name})`;
}

const locationWords: Record<Expression["source"], string> = {
  path: " in the path",
  query: " in the query",
  request: " in the request body",
  response: " in the response",
};

/** As Markdown: "`externalUserId` in the path". Names in the same part of a message are grouped. */
export function placesOf(expressions: readonly string[], conjunction: "and" | "or"): string {
  const namesByLocation = new Map<string, string[]>();
  for (const expression of expressions) {
    const { source, name } = found(parseExpression(expression), `part of a message that ${expression} names`);
    namesByLocation.set(locationWords[source], [...(namesByLocation.get(locationWords[source]) ?? []), name]);
  }
  return listWords(
    [...namesByLocation].map(([words, names]) => codeList(names, conjunction) + words),
    conjunction,
  );
}
