/** What the `x-` keys of a schema or parameter say, in words for its description. */
import type { JsonSchema, Provenance } from "../contract/document.ts";
import type { OpenQuestions } from "../contract/open-questions.ts";
import type { Links } from "./links.ts";
import { blocks, inline, list, mark, provenanceMark, sentence, shortProvenanceMark } from "./markdown.ts";
import type { RequiredStates } from "./required-states.ts";

/** What the notes of one edition's page are written with. */
export interface NoteContext {
  links: Links;
  questions: OpenQuestions;
  states: RequiredStates;
}

/** The keys of the registry (`openapi/extensions.yaml`) that become notes. */
interface NoteKeys {
  "x-provenance"?: Provenance;
  "x-sensitive"?: true;
  "x-irregularity"?: string;
  "x-open-enum"?: Record<string, { meaning: string; provenance?: Provenance }>;
  "x-lifecycle"?: Lifecycle;
  "x-open-questions"?: string[];
}

interface Lifecycle {
  provenance: Provenance;
  initial: string[];
  final: string[];
  transitions: Record<string, string[]>;
}

/** What a description gets: marks at the end of its text, and paragraphs below it. Either may be empty. */
export interface Notes {
  marks: string;
  text: string;
}

/** The notes of a schema, parameter, example or security scheme: everything that its `x-` keys say. */
export function describeKeys(node: JsonSchema | object, context: NoteContext): Notes {
  const keys = node as NoteKeys;
  const text = blocks(
    irregularityNote(keys["x-irregularity"]),
    keys["x-open-enum"] && knownValues(keys["x-open-enum"]),
    keys["x-lifecycle"] && lifecycleNote(keys["x-lifecycle"]),
    questionNotes(keys["x-open-questions"] ?? [], context),
  );
  return { marks: marksOf(keys), text };
}

function marksOf(keys: NoteKeys): string {
  const provenance = keys["x-provenance"] ? [provenanceMark(keys["x-provenance"])] : [];
  const sensitive = keys["x-sensitive"] ? [mark("sensitive", "Sensitive")] : [];
  return [...provenance, ...sensitive].join(" ");
}

/** In what way a place differs from the rest of the interface although it is no slip. */
export function irregularityNote(irregularity: string | undefined): string {
  if (irregularity === undefined) return "";
  return `${mark("irregular", "Irregular")} ${sentence(inline(irregularity))}`;
}

/** Provenance, irregularity and sensitivity only: what must be said even where the schema itself is not shown. */
export function describeOrigin(node: JsonSchema | object): Notes {
  const keys = node as NoteKeys;
  return { marks: marksOf(keys), text: irregularityNote(keys["x-irregularity"]) };
}

function knownValues(values: NonNullable<NoteKeys["x-open-enum"]>): string {
  const items = Object.entries(values).map(([value, { meaning, provenance }]) => {
    const words = `\`${value}\`: ${inline(meaning)}`;
    return provenance === undefined ? words : `${words} ${shortProvenanceMark(provenance)}`;
  });
  return blocks("Known values of a set that can grow:", list(items));
}

function lifecycleNote({ provenance, initial, final, transitions }: Lifecycle): string {
  const steps = Object.entries(transitions).map(([from, to]) => `${code(from)} → ${to.map(code).join(" or ")}`);
  const starts = initial.length > 0 ? [`Starts as ${initial.map(code).join(" or ")}`] : [];
  const ends = final.length > 0 ? [`Final: ${final.map(code).join(", ")}`] : [];
  return blocks(
    `How the values follow each other: ${provenanceMark(provenance)}`,
    list([...starts, ...steps, ...ends]),
  );
}

function code(value: string): string {
  return `\`${value}\``;
}

/** Each question in full, with what the contract assumes meanwhile. */
export function questionNotes(ids: string[], context: NoteContext): string {
  const items = ids.map((id) => `${mark("question", "Open question")} ${questionText(id, context)}`);
  return blocks(...items);
}

/** A question and its assumption in one paragraph. A question that the register lacks is named all the same. */
export function questionText(id: string, { links, questions }: NoteContext): string {
  const entry = questions[id];
  if (entry === undefined) return links.question(id);
  return `${inline(entry.question)} _Assumed meanwhile:_ ${sentence(inline(entry.assumption))} (${links.question(id)})`;
}
