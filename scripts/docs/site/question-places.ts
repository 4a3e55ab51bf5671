/** Where each open question bites. */
import type { Contract, Operation, Webhook } from "../../contract/index.ts";
import { markedParts, schemaParts } from "./marked-parts.ts";

/** A place that rests on what the contract assumes. */
export interface QuestionPlace {
  subject: Operation | Webhook;
  /** Parts of the subject, in words; empty where it is the subject itself. */
  parts: string[];
}

const known = new WeakMap<Contract, Map<string, QuestionPlace[]>>();

/** The operations and webhooks that a question concerns, with their parts, by the id of the question. */
export function placesOfQuestions(contract: Contract): Map<string, QuestionPlace[]> {
  const places = known.get(contract) ?? findPlaces(contract);
  known.set(contract, places);
  return places;
}

function findPlaces({ operations, webhooks }: Contract): Map<string, QuestionPlace[]> {
  const places = new Map<string, QuestionPlace[]>();
  for (const subject of [...operations, ...webhooks]) {
    const parts = markedParts(subject);
    for (const id of new Set([...subject.openQuestions, ...parts.flatMap(({ questions }) => questions)])) {
      const concerned = parts.filter(({ questions }) => questions.includes(id)).map(({ where }) => where);
      places.set(id, [...(places.get(id) ?? []), { subject, parts: [...new Set(concerned)] }]);
    }
  }
  return places;
}

/** The titles of the shared schemas that carry a question, for one that concerns no single operation. */
export function schemasOfQuestion(id: string, { root }: Contract): string[] {
  return root
    .own("components", "schemas")
    .entries()
    .filter(([, schema]) => schemaParts(schema, "", { follow: false }).some(({ questions }) => questions.includes(id)))
    .map(([name, schema]) => String(schema.own("title").value ?? name));
}
