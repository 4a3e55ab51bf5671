/** Completes the answers with P-codes, so that a source file lists each code once and nothing else. */
import {
  type Body,
  type CodeRef,
  codeProperty,
  codeRefsOf,
  type JsonSchema,
  type MediaTypeObject,
  type OpenApiDocument,
  type Ref,
  readContract,
} from "../contract/index.ts";

/**
 * Adds to each `oneOf` of P-codes the discriminator with its mapping and, for a code without an example in the answer, the
 * example of its error file. An answer that several operations refer to is completed once.
 *
 * @param document a bundle; it is changed in place.
 */
export function completeErrors(document: OpenApiDocument): void {
  const bodies = readContract(document).operations.flatMap(({ answers }) => answers.flatMap((answer) => answer.bodies));
  for (const body of new Map(bodies.map((body) => [body.place.value, body])).values()) {
    const codes = codeRefsOf(body.schema);
    if (codes.length === 0) continue;
    addDiscriminator(body.schema.target.value as JsonSchema, codes);
    addExamples(body, codes);
  }
}

function addDiscriminator(schema: JsonSchema, refs: CodeRef[]): void {
  schema.discriminator = {
    propertyName: codeProperty,
    mapping: Object.fromEntries(refs.map(({ code, place }) => [code, (place.value as Ref).$ref])),
  };
}

function addExamples(body: Body, refs: CodeRef[]): void {
  const media = body.place.value as MediaTypeObject;
  const own = media.examples ?? {};
  const examples = refs.map(({ code, place }) => {
    const error = place.target.value as JsonSchema;
    const [value] = error.examples ?? [];
    return [
      code,
      own[code] ?? (value === undefined ? undefined : { summary: error["x-error"]?.meaning ?? code, value }),
    ];
  });
  const codes = refs.map(({ code }) => code);
  const others = Object.entries(own).filter(([name]) => !codes.includes(name));
  media.examples = Object.fromEntries([...examples.filter(([, example]) => example !== undefined), ...others]);
}
