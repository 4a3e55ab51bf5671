import {
  type Body,
  type Contract,
  isRef,
  type Marks,
  type OpenQuestions,
  type Operation,
  type SourceLocation,
  type Visit,
  type Webhook,
  walkSchema,
} from "../../contract/model/index.ts";
import { memoizeByKey } from "./memoize.ts";
import { bodiesOf } from "./subjects.ts";

export interface QuestionLocation {
  subject: Operation | Webhook;
  /** The affected parts, in words; empty if the question concerns the whole subject. */
  parts: string[];
}

/** `description` is in words: ``response 200 `status` ``. */
interface Part {
  description: string;
  questions: string[];
}

export const questionLocations = memoizeByKey(({ operations, webhooks }: Contract): Map<string, QuestionLocation[]> => {
  const locations = new Map<string, QuestionLocation[]>();
  for (const subject of [...operations, ...webhooks]) {
    const parts = partsOf(subject);
    for (const id of new Set([...subject.openQuestions, ...parts.flatMap(({ questions }) => questions)])) {
      const concernedParts = parts
        .filter(({ questions }) => questions.includes(id))
        .map(({ description }) => description);
      locations.set(id, [...(locations.get(id) ?? []), { subject, parts: [...new Set(concernedParts)] }]);
    }
  }
  return locations;
});

/** Bodies of referenced error responses, and schemas that error responses reference, are left out, because many operations share them. */
function partsOf(subject: Operation | Webhook): Part[] {
  const partsOfBody = ({ schema, examples }: Body, description: string) => [
    ...partsOfSchema(schema, description),
    ...examples.flatMap(({ name, location }) => partAt(location.target, `example \`${name}\` of the ${description}`)),
  ];
  return [
    ...subject.parameters.flatMap(({ name, location, schema }) => {
      const description = `parameter \`${name}\``;
      return [...partAt(location.target, description), ...partsOfSchema(schema, description)];
    }),
    ...bodiesOf(subject).flatMap((body) => partsOfBody(body, "request")),
    ...subject.responses.flatMap(({ status, key, bodies, location }) => {
      const description = `response ${key}`;
      const bodyParts = bodies.flatMap((body) => {
        if (status < 400) return partsOfBody(body, description);
        return isRef(location.value) ? [] : partsOfSchema(body.schema, description, false);
      });
      return [...bodyParts, ...partAt(location.target, description)];
    }),
  ];
}

function partsOfSchema(schema: SourceLocation, description: string, followsReferences = true): Part[] {
  const parts: Part[] = [];
  const addPart = (location: SourceLocation, { path }: Visit) =>
    void parts.push(...partAt(location, path.length === 0 ? description : `${description} \`${path.join(".")}\``));
  walkSchema(schema, addPart, { followsReferences });
  return parts;
}

function partAt(location: SourceLocation, description: string): Part[] {
  const questions = location.texts("x-open-questions");
  return questions.length === 0 ? [] : [{ description, questions }];
}

/** @param followsReferences whether questions on referenced schemas are included. */
export function questionsIn(schema: SourceLocation, followsReferences: boolean): string[] {
  return partsOfSchema(schema, "", followsReferences).flatMap(({ questions }) => questions);
}

export function schemasOfQuestion(id: string, { root }: Contract): string[] {
  return root
    .child("components", "schemas")
    .entries()
    .filter(([, schema]) => questionsIn(schema, false).includes(id))
    .map(([, schema]) => String(schema.child("title").value));
}

export function usedQuestions(document: unknown, questions: OpenQuestions): OpenQuestions {
  const markedIds = new Set<string>();
  const visit = (node: unknown): void => {
    if (!(node instanceof Object)) return;
    for (const id of (node as Marks)["x-open-questions"] ?? []) markedIds.add(id);
    for (const value of Object.values(node)) visit(value);
  };
  visit(document);
  return Object.fromEntries(Object.entries(questions).filter(([id]) => markedIds.has(id)));
}
