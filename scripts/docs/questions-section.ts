/** The section of the page that lists the open questions that matter in an edition. */
import type { Contract } from "../contract/contract.ts";
import type { JsonSchema } from "../contract/document.ts";
import type { OpenQuestion } from "../contract/open-questions.ts";
import { blocks, inline, list, sentence } from "./markdown.ts";
import { markedPlaces, schemaPlaces } from "./places.ts";
import type { NoteContext } from "./schema-notes.ts";
import { linkTo, subjectsOf } from "./subjects.ts";

/** Markdown with a heading for each question. */
export function describeQuestions(ids: string[], contract: Contract, context: NoteContext): string {
  const concerned = concernedSubjects(contract, context);
  return blocks(
    `What nobody has stated yet: ${ids.length} questions matter in this edition. Each says what this contract assumes until it is answered.`,
    ...ids.map((id) => {
      const entry = context.questions[id];
      if (entry === undefined) throw new Error(`${id} is no entry of the register.`);
      return describeQuestion(id, entry, concerned.get(id) ?? concernedSchemas(id, contract));
    }),
  );
}

function describeQuestion(id: string, entry: OpenQuestion, concerned: string[]): string {
  const statedAs = entry.statedAs === undefined ? "" : `: “${inline(entry.statedAs)}”`;
  return blocks(
    `## ${id} {% #${id.toLowerCase()} %}`,
    `**${inline(entry.question)}**`,
    list([
      `Assumed meanwhile: ${sentence(inline(entry.assumption))}`,
      `Evidence: ${sentence(inline(entry.evidence))}`,
      `If the answer is another one: ${sentence(inline(entry.change))}`,
      `Left open by: ${inline(entry.section)}${statedAs}`,
      `Concerns: ${concerned.length === 0 ? "the interface as a whole" : concerned.join(", ")}`,
    ]),
  );
}

/** For each question the operations and webhooks that it concerns, as links. */
function concernedSubjects(contract: Contract, { links }: NoteContext): Map<string, string[]> {
  const concerned = new Map<string, string[]>();
  for (const subject of subjectsOf(contract, contract.document)) {
    const places = markedPlaces(contract.document, subject.operation);
    const own = subject.operation["x-open-questions"] ?? [];
    for (const id of new Set([...own, ...places.flatMap(({ questions }) => questions)])) {
      concerned.set(id, [...(concerned.get(id) ?? []), linkTo(subject, links)]);
    }
  }
  return concerned;
}

/** The titles of the shared schemas that carry a question, for one that concerns no operation in particular. */
function concernedSchemas(id: string, { document }: Contract): string[] {
  const schemas = Object.entries((document.components?.schemas ?? {}) as Record<string, JsonSchema>);
  return schemas
    .filter(([, schema]) =>
      schemaPlaces(document, schema, "", { follow: false }).some(({ questions }) => questions.includes(id)),
    )
    .map(([name, schema]) => inline((schema.title as string | undefined) ?? name));
}
