/** Finds the parts of an operation, webhook or schema that have a provenance or open questions of their own. */
import {
  type Body,
  codeOf,
  isRef,
  type Marks,
  markOn,
  type OpenQuestions,
  type Operation,
  type Place,
  type Provenance,
  type Webhook,
  walkSchema,
  weakest,
} from "../../contract/index.ts";

/** A part of an operation or webhook, and the marks on it. */
export interface MarkedPart {
  /** In words: ``response 200 `status` ``. */
  where: string;
  /** Effective, and only where it is weaker than that of what encloses the part. */
  provenance: Provenance | undefined;
  questions: string[];
}

/**
 * The marked parts below an operation or webhook, references followed. Error bodies are shared by all operations: of them
 * only the marks count that stand in the operation itself, without the examples of the P-codes.
 */
export function markedParts({ provenance, parameters, requestBody, answers }: Operation | Webhook): MarkedPart[] {
  const own = provenance ?? "proposed";
  const ofParameters = parameters.flatMap(({ name, place, schema }) => {
    const where = `parameter \`${name}\``;
    const enclosing = weakest(own, markOn(place), markOn(place.target));
    return [...marksOn(place.target, where, own), ...schemaParts(schema, where, { enclosing })];
  });
  const ofRequest = (requestBody?.bodies ?? []).flatMap((body) => bodyParts(body, "request", own));
  const ofResponses = answers.flatMap(({ status, key, bodies, place }) => {
    const where = `response ${key}`;
    const enclosing = weakest(own, markOn(place), markOn(place.target));
    if (status < 400) {
      return [...marksOn(place.target, where, own), ...bodies.flatMap((body) => bodyParts(body, where, enclosing))];
    }
    const ofAnswer = marksOn(place.target, where, own);
    if (isRef(place.value)) return ofAnswer;
    return [...ofAnswer, ...bodies.flatMap(({ schema }) => schemaParts(schema, where, { follow: false, enclosing }))];
  });
  return [...ofParameters, ...ofRequest, ...ofResponses];
}

function bodyParts({ schema, examples }: Body, where: string, enclosing: Provenance): MarkedPart[] {
  return [
    ...schemaParts(schema, where, { enclosing }),
    ...examples.flatMap(({ name, place }) => marksOn(place.target, `example \`${name}\` of the ${where}`, enclosing)),
  ];
}

/**
 * The marked parts of a schema, itself included.
 *
 * @param where what the schema describes, in words; property names are added to it.
 * @param options.follow whether references are followed; they are unless told otherwise.
 * @param options.enclosing the effective provenance of what encloses the schema; the strongest by default.
 */
export function schemaParts(
  schema: Place,
  where: string,
  options: { follow?: boolean; enclosing?: Provenance } = {},
): MarkedPart[] {
  const { enclosing = "specification", ...walking } = options;
  const parts: MarkedPart[] = [];
  walkSchema(
    schema,
    (place, { path, way }) => {
      const words = path.length === 0 ? where : `${where} \`${path.join(".")}\``;
      parts.push(...marksOn(place, words, weakest(enclosing, ...way.map(markOn))));
    },
    walking,
  );
  return parts;
}

function marksOn(place: Place, where: string, enclosing: Provenance): MarkedPart[] {
  const questions = ((place.value ?? {}) as Marks)["x-open-questions"] ?? [];
  const effective = weakest(enclosing, markOn(place));
  // The table of P-codes has the provenance of each code.
  const provenance = effective === enclosing || codeOf(place) !== undefined ? undefined : effective;
  return provenance === undefined && questions.length === 0 ? [] : [{ where, provenance, questions }];
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
