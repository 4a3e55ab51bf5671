/** Generates the TypeScript types of an edition with openapi-typescript. */
import openapiTS, { astToString, type SchemaObject, type TransformNodeOptions } from "openapi-typescript";
import ts from "typescript";
import type { JsonSchema, OpenApiDocument, OpenQuestions, Provenance } from "../contract/index.ts";
import { generatedNotice, runtimePath } from "./text.ts";

/** Types of the runtime that the generated types can refer to, by the file that exports them. */
const runtimeTypes = { "decimal.ts": ["Decimal", "DecimalInput"], "types.ts": ["FileUpload", "UnlistedValue"] };

/**
 * Generates the text of `types.ts`: paths, operations, webhooks and schemas, and an alias for each schema.
 *
 * Open sets keep completion for their known values, a value outside of a listed set is `UnlistedValue`, and files are
 * `FileUpload`. JSDoc comments name the open questions and the provenance of each element.
 */
export async function generateTypes(document: OpenApiDocument, questions: OpenQuestions): Promise<string> {
  const annotated = annotate(structuredClone(document), questions);
  const nodes = await openapiTS(annotated as unknown as Parameters<typeof openapiTS>[0] & object, {
    alphabetize: false,
    // An object of which nothing is known holds anything.
    emptyObjectsUnknown: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
    transform: transformSchema,
  });
  const text = astToString(nodes);
  return `${generatedNotice}\n${importsOf(text)}${text}`;
}

/** The imports that a text needs; the compiler rejects unused ones. */
function importsOf(text: string): string {
  return Object.entries(runtimeTypes)
    .map(([file, names]) => {
      const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
      return used.length === 0 ? "" : `import type { ${used.join(", ")} } from "${runtimePath}/${file}";\n`;
    })
    .join("");
}

/** Schemas with a type in the runtime; a value may have any of the types. */
const brandedSchemas: Record<string, readonly string[]> = {
  DecimalString: ["Decimal"],
  RequestDecimalString: ["DecimalInput"],
  RequestAmount: ["DecimalInput", "number"],
};

function transformSchema(schema: SchemaObject, { path }: TransformNodeOptions): ts.TypeNode | undefined {
  const node = schema as JsonSchema;
  const branded = brandedSchemas[path?.replace("#/components/schemas/", "") ?? ""];
  if (branded !== undefined) return union(branded.map(reference));
  if (node.type === "string" && node.format === "binary") return reference("FileUpload");
  if (node.type === "string" && isOpenComplement(node)) return reference("UnlistedValue");
  const known = node["x-open-enum"] as Record<string, unknown> | undefined;
  return known === undefined ? undefined : openUnion(Object.keys(known));
}

/** Whether a schema is valid for every string except the listed ones. */
function isOpenComplement(schema: JsonSchema): boolean {
  return Array.isArray((schema.not as JsonSchema | undefined)?.enum);
}

function reference(name: string): ts.TypeNode {
  return ts.factory.createTypeReferenceNode(name);
}

function union(types: readonly ts.TypeNode[]): ts.TypeNode {
  return types.length === 1 ? (types[0] as ts.TypeNode) : ts.factory.createUnionTypeNode(types);
}

/** `"A" | "B" | (string & {})`: any string, with completion for the known ones. */
function openUnion(values: string[]): ts.TypeNode {
  const anyString = ts.factory.createParenthesizedType(
    ts.factory.createIntersectionTypeNode([
      ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      ts.factory.createTypeLiteralNode([]),
    ]),
  );
  const literals = values.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value)));
  return ts.factory.createUnionTypeNode([...literals, anyString]);
}

/** Adds the content of the `x-` keys to the descriptions, because openapi-typescript does not read these keys. */
function annotate<T>(node: T, questions: OpenQuestions): T {
  if (Array.isArray(node)) for (const item of node) annotate(item, questions);
  else if (typeof node === "object" && node !== null) {
    for (const [key, value] of Object.entries(node)) if (!isData(key)) annotate(value, questions);
    const notes = notesOf(node as Record<string, unknown>, questions);
    if (notes.length > 0) {
      const holder = node as { description?: string };
      holder.description = [holder.description?.trim(), ...notes].filter(Boolean).join("\n\n");
    }
  }
  return node;
}

/** Keys whose values are data and contain no schemas. */
function isData(key: string): boolean {
  return key === "example" || key === "examples" || key === "const" || key === "enum" || key.startsWith("x-");
}

function notesOf(node: Record<string, unknown>, questions: OpenQuestions): string[] {
  const values = Object.entries((node["x-open-enum"] as Record<string, OpenEnumValue> | undefined) ?? {});
  const known = values.map(([value, { meaning, provenance }]) => {
    return `- \`${value}\`: ${meaning}${provenance === undefined ? "" : ` (${provenance})`}`;
  });
  const open = ((node["x-open-questions"] as string[] | undefined) ?? []).map((id) => {
    return `Open question ${id}: ${questions[id]?.question ?? ""} Assumed: ${questions[id]?.assumption ?? ""}`;
  });
  return [
    ...(known.length === 0 ? [] : [`Known values:\n${known.join("\n")}`]),
    ...open,
    ...provenanceNote(node["x-provenance"] as Provenance | undefined),
  ];
}

interface OpenEnumValue {
  meaning: string;
  provenance?: Provenance;
}

function provenanceNote(provenance: Provenance | undefined): string[] {
  if (provenance === "proposed") return ["@experimental Proposed: to be confirmed before anyone relies on it."];
  if (provenance === "reference") return ["Seen in the public reference of the service."];
  if (provenance === "observed") return ["Observed in a program that calls the service, or inferred from one."];
  return [];
}
