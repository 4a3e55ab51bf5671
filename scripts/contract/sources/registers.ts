import { type Conditions, type OpenQuestions, rankNames, type SourceLocation } from "../model/index.ts";
import { mapOf, mapWith, text, valueOfForm } from "./value-of-form.ts";

const notes = { evidence: text, statedAs: text };
const row = mapWith({ row: text, assumption: text }, { area: text, ...notes });
const question = mapWith(
  {
    ...{ question: text, rank: { enum: rankNames }, who: text, section: text },
    ...{ assumption: text, evidence: text, change: mapOf(text) },
  },
  { statedAs: text, matrix: { type: ["string", "array"], items: row }, notes: mapOf(mapWith({}, notes)) },
);
const questions = mapOf(question);

export function readQuestions(location: SourceLocation): OpenQuestions {
  return valueOfForm(location, questions);
}

/** An entry is null if nothing is written under its key, as while an author is typing. */
export type Extensions = Record<string, { published?: true; conditions?: Conditions } | null>;

const only = { const: true };
const condition = mapWith({ meaning: text, otherwise: text, code: text }, { shared: only, any: only });
const extensions = mapOf({ type: ["object", "null"], properties: { published: only, conditions: mapOf(condition) } });

export function readExtensions(location: SourceLocation): Extensions {
  return valueOfForm(location, extensions);
}
