/**
 * Completes the errors and the responses with P-codes, so that an entry of errors.yaml has only what is its own, and a response lists
 * each code once and nothing else.
 */
import {
  type Body,
  type CodeRef,
  codeProperty,
  codeRefsOf,
  isCode,
  isRef,
  type JsonSchema,
  type MediaTypeObject,
  type OpenApiDocument,
  type Ref,
  readContract,
  valueAt,
} from "../model/index.ts";

/**
 * Adds to each response with P-codes, for a code without an example there, the example of its entry; to a `oneOf` of
 * P-codes also the discriminator with its mapping. An open response (`anyOf`) has none, since any other code can occur. A response
 * that several operations refer to is completed once.
 *
 * @param document a bundle; it is changed in place.
 */
export function completeErrors(document: OpenApiDocument): void {
  const bodies = readContract(document).operations.flatMap(({ responses }) =>
    responses.flatMap((response) => response.bodies),
  );
  for (const body of new Map(bodies.map((body) => [body.place.value, body])).values()) {
    const codes = codeRefsOf(body.schema);
    if (codes.length === 0) continue;
    const schema = body.schema.target.value as JsonSchema;
    if (schema.oneOf !== undefined) addDiscriminator(schema, codes);
    addExamples(document, body, codes);
  }
}

/**
 * Writes out the body of each error: an entry refers to the body that all errors have and adds its code. A schema
 * that stands alone is what generators of types and docs read best.
 *
 * @param document a bundle; it is changed in place.
 */
export function writeOutErrors(document: OpenApiDocument): void {
  const schemas = (document.components?.schemas ?? {}) as Record<string, JsonSchema>;
  for (const [name, { description, allOf, properties, ...rest }] of Object.entries(schemas)) {
    const [general] = isCode(name) ? ((allOf ?? []) as JsonSchema[]) : [];
    if (!isRef(general)) continue;
    const { type, required, properties: body } = structuredClone(valueAt(document, general.$ref)) as JsonSchema;
    const heading = description === undefined ? {} : { description };
    const code = { type: "string", ...properties?.[codeProperty] };
    const written = { ...heading, type, required, properties: { ...body, [codeProperty]: code }, ...rest };
    schemas[name] = written as JsonSchema;
  }
}

function addDiscriminator(schema: JsonSchema, refs: CodeRef[]): void {
  schema.discriminator = {
    propertyName: codeProperty,
    mapping: Object.fromEntries(refs.map(({ code, place }) => [code, (place.value as Ref).$ref])),
  };
}

/** The example of a code is written once, among the components, and referred to wherever the code is listed. */
function addExamples(document: OpenApiDocument, body: Body, refs: CodeRef[]): void {
  const media = body.place.value as MediaTypeObject;
  const own = media.examples ?? {};
  const examples = refs.flatMap(({ code, place }) => {
    const error = place.target.value as JsonSchema;
    const [value] = error.examples ?? [];
    if (own[code] !== undefined) return [[code, own[code]] as const];
    if (value === undefined) return [];
    document.components ??= {};
    document.components.examples ??= {};
    document.components.examples[code] ??= { summary: error["x-error"]?.meaning ?? code, value };
    return [[code, { $ref: `#/components/examples/${code}` }] as const];
  });
  const codes = refs.map(({ code }) => code);
  const others = Object.entries(own).filter(([name]) => !codes.includes(name));
  media.examples = Object.fromEntries([...examples, ...others]);
}
