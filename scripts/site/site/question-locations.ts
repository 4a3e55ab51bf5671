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

/** A part with open questions. `where` is in words: ``response 200 `status` ``. */
interface Part {
  where: string;
  questions: string[];
}

export const questionLocations = memoizeByKey(({ operations, webhooks }: Contract): Map<string, QuestionLocation[]> => {
  const places = new Map<string, QuestionLocation[]>();
  for (const subject of [...operations, ...webhooks]) {
    const parts = partsOf(subject);
    for (const id of new Set([...subject.openQuestions, ...parts.flatMap(({ questions }) => questions)])) {
      const concernedParts = parts.filter(({ questions }) => questions.includes(id)).map(({ where }) => where);
      places.set(id, [...(places.get(id) ?? []), { subject, parts: [...new Set(concernedParts)] }]);
    }
  }
  return places;
});

/** Referenced bodies and schemas of error responses do not count, because many operations share them. */
function partsOf(subject: Operation | Webhook): Part[] {
  const partsOfBody = ({ schema, examples }: Body, where: string) => [
    ...partsOfSchema(schema, where),
    ...examples.flatMap(({ name, location }) => partAt(location.target, `example \`${name}\` of the ${where}`)),
  ];
  return [
    ...subject.parameters.flatMap(({ name, location, schema }) => {
      const where = `parameter \`${name}\``;
      return [...partAt(location.target, where), ...partsOfSchema(schema, where)];
    }),
    ...bodiesOf(subject).flatMap((body) => partsOfBody(body, "request")),
    ...subject.responses.flatMap(({ status, key, bodies, location }) => {
      const where = `response ${key}`;
      const bodyParts = bodies.flatMap((body) => {
        if (status < 400) return partsOfBody(body, where);
        return isRef(location.value) ? [] : partsOfSchema(body.schema, where, false);
      });
      return [...bodyParts, ...partAt(location.target, where)];
    }),
  ];
}

function partsOfSchema(schema: SourceLocation, where: string, follow = true): Part[] {
  const parts: Part[] = [];
  const addPart = (location: SourceLocation, { path }: Visit) =>
    void parts.push(...partAt(location, path.length === 0 ? where : `${where} \`${path.join(".")}\``));
  walkSchema(schema, addPart, { follow });
  return parts;
}

function partAt(location: SourceLocation, where: string): Part[] {
  const questions = location.texts("x-open-questions");
  return questions.length === 0 ? [] : [{ where, questions }];
}

/** The open questions on a schema. `follow`: whether questions on referenced schemas count too. */
export function questionsIn(schema: SourceLocation, follow: boolean): string[] {
  return partsOfSchema(schema, "", follow).flatMap(({ questions }) => questions);
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
