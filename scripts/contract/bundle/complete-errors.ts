import {
  type Body,
  type CodeRef,
  codeProperty,
  codeRefsOf,
  isAnnotation,
  isCode,
  isRef,
  type JsonSchema,
  type MediaTypeObject,
  type OpenApiDocument,
  type Ref,
  readContract,
  valueAt,
} from "../model/index.ts";
import { withMarksOf } from "./combine-keywords.ts";
import { componentSchemasOf } from "./components.ts";

/**
 * Adds to each response the examples that the schemas of its P-codes have, and a discriminator mapping of its P-codes. An open response (`anyOf`)
 * gets no discriminator, because the service can send codes that the response does not list.
 */
export function completeErrors(document: OpenApiDocument): void {
  const bodies = readContract(document).operations.flatMap(({ responses }) =>
    responses.flatMap((response) => response.bodies),
  );
  for (const body of new Map(bodies.map((body) => [body.location.value, body])).values()) {
    const codes = codeRefsOf(body.schema);
    if (codes.length === 0) continue;
    const schema = body.schema.target.value as JsonSchema;
    if (schema.oneOf !== undefined) {
      const mapping = Object.fromEntries(codes.map(({ code, location }) => [code, (location.value as Ref).$ref]));
      schema.discriminator = { propertyName: codeProperty, mapping };
    }
    addExamples(document, body, codes);
  }
}

/**
 * Code generators work best with self-contained schemas. `refuse-malformed.ts` ensures that a P-code is an `allOf` with only the general
 * error, and adds only the code.
 */
export function inlineCommonErrorFields(document: OpenApiDocument): void {
  const schemas = componentSchemasOf(document);
  for (const [name, { description, allOf, properties, ...rest }] of Object.entries(schemas)) {
    const [generalRef] = isCode(name) ? ((allOf ?? []) as JsonSchema[]) : [];
    if (!isRef(generalRef)) continue;
    const general = structuredClone(valueAt(document, generalRef.$ref)) as JsonSchema;
    const generalKeywords = Object.fromEntries(Object.entries(general).filter(([keyword]) => !isAnnotation(keyword)));
    const optionalDescription = description === undefined ? {} : { description };
    const code = { type: "string", ...properties?.[codeProperty] };
    const selfContainedSchema = {
      ...optionalDescription,
      ...generalKeywords,
      properties: { ...general.properties, [codeProperty]: code },
      ...withMarksOf(rest as JsonSchema, general),
    };
    schemas[name] = selfContainedSchema as JsonSchema;
  }
}

function addExamples(document: OpenApiDocument, body: Body, refs: CodeRef[]): void {
  const media = body.location.value as MediaTypeObject;
  const existingExamples = media.examples ?? (media.example === undefined ? {} : { example: { value: media.example } });
  const examples = refs.flatMap(({ code, location }) => {
    const error = location.target.value as JsonSchema;
    const [value] = error.examples ?? [];
    if (existingExamples[code] !== undefined) return [[code, existingExamples[code]] as const];
    if (value === undefined) return [];
    document.components ??= {};
    document.components.examples ??= {};
    // The suffix makes the name unique across all sections of the components, because some code generators need unique names.
    const name = `${code}Example`;
    document.components.examples[name] ??= { summary: error["x-error"]?.meaning ?? code, value };
    return [[code, { $ref: `#/components/examples/${name}` }] as const];
  });
  const codes = refs.map(({ code }) => code);
  const otherExamples = Object.entries(existingExamples).filter(([name]) => !codes.includes(name));
  media.examples = Object.fromEntries([...examples, ...otherExamples]);
  // A media type has either `example` or `examples`.
  delete media.example;
}
