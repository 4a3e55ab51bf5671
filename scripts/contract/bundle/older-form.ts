/** The OpenAPI 3.0 form of a published document, for tools that do not read 3.1. */
import { Converter } from "@apiture/openapi-down-convert";
import { isRef, type JsonSchema, type OpenApiDocument, valueAt } from "../model/index.ts";
import { removeUnused, schemasOf } from "./parts.ts";
import { questionTexts } from "./standard-words.ts";

const notice = `

**This is the OpenAPI 3.0 form**, made from the 3.1 document by openapi-down-convert for tools that do not read 3.1. OpenAPI 3.0 cannot
say everything: the webhooks are left out, with their security scheme and the schemas that only they use; so are conditions
between the fields of a body (\`if\`, \`then\`, \`else\`), and all examples of a schema but the first. A P-code, a constant in 3.1, is an
\`enum\` of one value, and the marks beside its reference are left out. A union with \`null\` is \`nullable\`. Where the two differ, the 3.1 document is right.
`;

export function toOpenApi30(published: OpenApiDocument): OpenApiDocument {
  const { webhooks: _, jsonSchemaDialect: __, ...document } = structuredClone(published);
  const { summary: ___, ...info } = document.info;
  document.info = { ...info, description: `${info.description ?? ""}${notice}` };
  for (const { value } of schemasOf(document)) simplify(value as JsonSchema, document);
  const converted = new Converter(document, { allOfTransform: true }).convert() as OpenApiDocument;
  delete converted.components?.securitySchemes?.webhookToken;
  removeUnused(converted);
  const questions = converted["x-questions"];
  if (questions !== undefined) {
    delete converted["x-questions"];
    converted["x-questions"] = questionTexts(converted, questions);
  }
  return converted;
}

/** Removes or rewrites keywords that the converter does not support. */
function simplify(schema: JsonSchema, document: object): void {
  for (const keyword of ["if", "then", "else"]) delete schema[keyword];
  // In an `anyOf` or `oneOf` with a discriminator, a reference cannot have other keywords beside it.
  for (const keyword of ["anyOf", "oneOf"] as const) {
    const branches = schema[keyword] as JsonSchema[] | undefined;
    if (branches !== undefined) schema[keyword] = branches.map((each) => (isRef(each) ? { $ref: each.$ref } : each));
  }
  for (const [keyword, limit] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof schema[keyword] === "number") Object.assign(schema, { [limit]: schema[keyword], [keyword]: true });
  }
  const { type } = schema;
  const types = [type ?? []].flat().filter((each) => each !== "null");
  if (Array.isArray(type) && types.length > 1) {
    delete schema.type;
    const branches = types.map((each) => ({ type: each })) as JsonSchema[];
    schema.anyOf = type.length > types.length ? withNull(branches, document) : branches;
  }
  const alternatives = (schema.oneOf ?? []) as JsonSchema[];
  const others = alternatives.filter((each) => each.type !== "null");
  if (others.length === 0 || others.length === alternatives.length) return;
  delete schema.oneOf;
  const branches = withNull(others, document);
  Object.assign(schema, branches.length > 1 ? { oneOf: branches } : branches[0]);
}

/** Adds `nullable` to one alternative, next to its `type`: OpenAPI 3.0.3 ignores `nullable` without `type`. */
function withNull(branches: readonly JsonSchema[], document: object): JsonSchema[] {
  // Code generators for Java write no class for a nullable array in a `oneOf` or `anyOf`.
  const chosen = branches.find((each) => each.type !== "array") ?? branches[0];
  return branches.map((each) => {
    if (each !== chosen) return each;
    if (!isRef(each)) return { ...each, nullable: true };
    const { type } = valueAt(document, each.$ref) as JsonSchema;
    return { type, allOf: [each], nullable: true } as JsonSchema;
  });
}
