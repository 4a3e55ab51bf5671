/** Names of operations in texts, where an edition does not have the operation. */
import type { Contract, OpenQuestions } from "./model.ts";

/** What stands behind the name of an operation that the edition does not have. */
export const absentSuffix = " (not in this edition)";

/** Adds the suffix behind the name of each absent operation in a text, unless it stands there already. */
export type MarkAbsent = (text: string) => string;

/**
 * Makes the function that marks the names of the operations that an edition does not have.
 *
 * A name that something in the edition has as well is not absent, and the longest name counts: "Get Rates and More" does
 * not mention "Get Rates". A name can be broken over lines or stand between backticks.
 */
export function absentMarker({ operations, webhooks, absentOperations }: Contract): MarkAbsent {
  const present = [...operations, ...webhooks].flatMap(({ name, summary }) => [name, summary]);
  const missing = new Set(
    Object.entries(absentOperations)
      .flat()
      .filter((name) => name !== "" && !present.includes(name)),
  );
  if (missing.size === 0) return (text) => text;
  const pattern = new RegExp(`${anyOf([...missing, ...present])}(\`?)( \\(not in this edition\\))?`, "gu");
  return (text) =>
    text.replace(pattern, (whole, name: string, tick: string, suffix: string | undefined) => {
      if (suffix !== undefined || !missing.has(toOneLine(name))) return whole;
      return `${name}${tick}${absentSuffix}`;
    });
}

/** Questions with the names of absent operations marked, but for what they quote from the specification. */
export function markQuestions(questions: OpenQuestions, mark: MarkAbsent): OpenQuestions {
  const entries = Object.entries(questions).map(([id, entry]) => {
    const { question, assumption, evidence, change } = entry;
    const texts = {
      question: mark(question),
      assumption: mark(assumption),
      evidence: mark(evidence),
      change: mark(change),
    };
    return [id, { ...entry, ...texts }];
  });
  return Object.fromEntries(entries);
}

/**
 * Makes the function that finds names in texts, as {@link absentMarker} does.
 *
 * @param names summaries and operationIds; of two at the same place the longer one is found.
 */
export function nameFinder(names: readonly string[]): (text: string) => string[] {
  const pattern = new RegExp(anyOf(names), "gu");
  return (text) => [...text.matchAll(pattern)].map(([, name = ""]) => toOneLine(name));
}

/** A pattern for any of the names, as its first group. */
function anyOf(names: readonly string[]): string {
  const distinct = [...new Set(names)].filter((name) => name !== "");
  const alternatives = distinct.sort((a, b) => b.length - a.length).map(toPattern);
  return `(?<![\\p{L}\\p{N}])(${alternatives.join("|")})(?![\\p{L}\\p{N}])`;
}

function toOneLine(name: string): string {
  return name.replace(/\s+/g, " ");
}

function toPattern(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
}
