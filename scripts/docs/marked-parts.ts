/** Finds the parts of an operation, webhook or schema that have a provenance or open questions of their own. */
import {
  type Body,
  isRef,
  type Marks,
  type OpenQuestions,
  type Operation,
  type Place,
  type Provenance,
  type Webhook,
  walkSchema,
} from "../contract/index.ts";

/** A part of an operation or webhook, and the marks on it. */
export interface MarkedPart {
  /** In words: ``response 200 `status` ``. */
  where: string;
  provenance: Provenance | undefined;
  questions: string[];
}

/**
 * The marked parts below an operation or webhook, references followed. Error bodies are shared by all operations: of them
 * only the marks count that stand in the operation itself, without the examples of the P-codes.
 */
export function markedParts({ parameters, requestBody, answers }: Operation | Webhook): MarkedPart[] {
  const ofParameters = parameters.flatMap(({ name, node, schema }) => {
    const where = `parameter \`${name}\``;
    return [...marksOn(node, where), ...schemaParts(schema, where)];
  });
  const ofRequest = (requestBody?.bodies ?? []).flatMap((body) => bodyParts(body, "request"));
  const ofResponses = answers.flatMap(({ status, key, bodies, place }) => {
    const where = `response ${key}`;
    if (status < 400) return bodies.flatMap((body) => bodyParts(body, where));
    if (isRef(place.value)) return [];
    return bodies.flatMap(({ schema }) => schemaParts(schema, where, { follow: false }));
  });
  return [...ofParameters, ...ofRequest, ...ofResponses];
}

function bodyParts({ schema, examples }: Body, where: string): MarkedPart[] {
  return [
    ...schemaParts(schema, where),
    ...examples.flatMap(({ name, place }) => marksOn(place.target.value, `example \`${name}\` of the ${where}`)),
  ];
}

/**
 * The marked parts of a schema, itself included.
 *
 * @param where what the schema describes, in words; property names are added to it.
 * @param options.follow whether references are followed; they are unless told otherwise.
 */
export function schemaParts(schema: Place, where: string, options: { follow?: boolean } = {}): MarkedPart[] {
  const parts: MarkedPart[] = [];
  const visit = ({ value }: Place, path: string[]) => {
    parts.push(...marksOn(value, path.length === 0 ? where : `${where} \`${path.join(".")}\``));
  };
  walkSchema(schema, (place, { path }) => visit(place, path), options);
  return parts;
}

function marksOn(node: unknown, where: string): MarkedPart[] {
  const { "x-provenance": provenance, "x-open-questions": questions } = (node ?? {}) as Marks;
  if (provenance === undefined && questions === undefined) return [];
  return [{ where, provenance, questions: questions ?? [] }];
}

/** The questions of the register that are marked anywhere in a document, in the order of the register. */
export function usedQuestions(document: unknown, questions: OpenQuestions): OpenQuestions {
  const marked = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const id of (node as Marks)["x-open-questions"] ?? []) marked.add(id);
    for (const value of Object.values(node)) visit(value);
  };
  visit(document);
  return Object.fromEntries(Object.entries(questions).filter(([id]) => marked.has(id)));
}
