/** What the `x-` keys of a schema, parameter, example or security scheme say, in words for its description. */
import type { JsonSchema, Lifecycle, Registers } from "../contract/index.ts";
import type { Links } from "./links.ts";
import { blocks, code, inline, list, mark, provenanceMark, sentence, shortProvenanceMark } from "./markdown.ts";

/** What the notes on the page of an edition are written with. */
export interface NoteContext extends Registers {
  links: Links;
}

/** What is added to a description: marks at the end of its text, and paragraphs below it. Either may be empty. */
export interface Notes {
  marks: string;
  text: string;
}

/** Everything that the `x-` keys of a node say. */
export function describeKeys(node: object, context: NoteContext): Notes {
  const keys = node as JsonSchema;
  const text = blocks(
    irregularityNote(keys["x-irregularity"]),
    keys["x-open-enum"] && knownValues(keys["x-open-enum"]),
    keys["x-lifecycle"] && lifecycleNote(keys["x-lifecycle"]),
    requiredNote(keys["x-required-provenance"]),
    questionNotes(keys["x-open-questions"] ?? [], context),
  );
  return { marks: marksOf(keys), text };
}

/** Provenance, sensitivity and irregularity only: for the body of a schema whose own description is not shown. */
export function describeOrigin(node: object): Notes {
  const keys = node as JsonSchema;
  return { marks: marksOf(keys), text: irregularityNote(keys["x-irregularity"]) };
}

/** A mark only weakens, so a mark `specification` says nothing of a part: it is as sure as what encloses it. */
function marksOf(keys: JsonSchema): string {
  const { "x-provenance": own } = keys;
  const provenance = own === undefined || own === "specification" ? [] : [provenanceMark(own)];
  const sensitive = keys["x-sensitive"] ? [mark("sensitive", "Sensitive")] : [];
  return [...provenance, ...sensitive].join(" ");
}

/** How something differs from the rest of the interface on purpose. */
export function irregularityNote(irregularity: string | undefined): string {
  if (irregularity === undefined) return "";
  return `${mark("irregular", "Irregular")} ${sentence(inline(irregularity))}`;
}

function requiredNote(provenance: JsonSchema["x-required-provenance"]): string {
  return provenance === undefined ? "" : `Which fields are required: ${provenanceMark(provenance)}`;
}

function knownValues(values: NonNullable<JsonSchema["x-open-enum"]>): string {
  const items = Object.entries(values).map(([value, { meaning, provenance }]) => {
    const words = `${code(value)}: ${inline(meaning)}`;
    return provenance === undefined ? words : `${words} ${shortProvenanceMark(provenance)}`;
  });
  return blocks("Known values (more may be added):", list(items));
}

function lifecycleNote({ provenance, initial, final, transitions }: Lifecycle): string {
  const steps = Object.entries(transitions).map(([from, to]) => `${code(from)} → ${to.map(code).join(" or ")}`);
  const starts = initial.length > 0 ? [`Starts as ${initial.map(code).join(" or ")}`] : [];
  const ends = final.length > 0 ? [`Final: ${final.map(code).join(", ")}`] : [];
  return blocks(`Transitions between the values: ${provenanceMark(provenance)}`, list([...starts, ...steps, ...ends]));
}

/** Each question with the assumption of this contract, in a paragraph of its own. */
export function questionNotes(ids: string[], context: NoteContext): string {
  return blocks(...ids.map((id) => `${mark("question", "Open question")} ${questionText(id, context)}`));
}

/** A question and its assumption in one paragraph; only its id when it is missing from the register. */
export function questionText(id: string, { links, questions }: NoteContext): string {
  const entry = questions[id];
  if (entry === undefined) return links.question(id);
  return `${inline(entry.question)} _Assumption:_ ${sentence(inline(entry.assumption))} (${links.question(id)})`;
}
