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
 * example of its error file.
 *
 * @param document a bundle; it is changed in place.
 * @param provenance where a code may come from to be in the edition; from anywhere by default. An answer that has lost
 *   all of its codes goes as well.
 */
export function completeErrors(document: OpenApiDocument, provenance?: readonly string[]): void {
  const { operations } = readContract(document);
  for (const { node, answers } of operations) {
    for (const { key, bodies, codes } of answers) {
      const left = bodies.flatMap((body) => completeBody(body, provenance));
      if (codes.length > 0 && left.length === 0) delete node.responses[key];
    }
  }
}

/** Returns the codes that the edition has of a body. */
function completeBody(body: Body, provenance: readonly string[] | undefined): CodeRef[] {
  const all = codeRefsOf(body.schema);
  if (all.length === 0) return [];
  const schema = body.schema.target.value as JsonSchema;
  const kept = all.filter(({ place }) => {
    return provenance === undefined || provenance.includes(String(place.target.own("x-provenance").value));
  });
  if (kept.length < all.length) {
    const dropped = all.filter((ref) => !kept.includes(ref));
    schema.oneOf = (schema.oneOf ?? []).filter((branch) => !dropped.some(({ place }) => place.value === branch));
    const media = body.place.value as MediaTypeObject;
    for (const { code } of dropped) delete media.examples?.[code];
  }
  addDiscriminator(schema, kept);
  addExamples(body, kept);
  return kept;
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
