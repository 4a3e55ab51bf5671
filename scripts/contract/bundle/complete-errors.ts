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

/** An open response (`anyOf`) gets no discriminator, because the service can send codes that the response does not list. */
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

/** Copies the common error fields into the schema of each P-code: code generators work best with self-contained schemas. */
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

function addExamples(document: OpenApiDocument, body: Body, refs: CodeRef[]): void {
  const media = body.location.value as MediaTypeObject;
  const own = media.examples ?? {};
  const examples = refs.flatMap(({ code, location }) => {
    const error = location.target.value as JsonSchema;
    const [value] = error.examples ?? [];
    if (own[code] !== undefined) return [[code, own[code]] as const];
    if (value === undefined) return [];
    document.components ??= {};
    document.components.examples ??= {};
    // Some generators want a name to be unique in all sections of the components.
    const name = `${code}Example`;
    document.components.examples[name] ??= { summary: error["x-error"]?.meaning ?? code, value };
    return [[code, { $ref: `#/components/examples/${name}` }] as const];
  });
  const codes = refs.map(({ code }) => code);
  const others = Object.entries(own).filter(([name]) => !codes.includes(name));
  media.examples = Object.fromEntries([...examples, ...others]);
}
