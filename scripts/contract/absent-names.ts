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
  const names = [...new Set([...missing, ...present])].filter((name) => name !== "");
  const alternatives = names.sort((a, b) => b.length - a.length).map(toPattern);
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(${alternatives.join("|")})(?![\\p{L}\\p{N}])(\`?)( \\(not in this edition\\))?`,
    "gu",
  );
  return (text) =>
    text.replace(pattern, (whole, name: string, tick: string, suffix: string | undefined) => {
      if (suffix !== undefined || !missing.has(name.replace(/\s+/g, " "))) return whole;
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

function toPattern(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
}
