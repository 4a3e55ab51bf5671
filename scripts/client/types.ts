/** Generates the TypeScript types of an edition with openapi-typescript. */
import openapiTS, { astToString, type SchemaObject, type TransformNodeOptions } from "openapi-typescript";
import ts from "typescript";
import type { JsonSchema, OpenApiDocument, Provenance } from "../contract/document.ts";
import type { OpenQuestions } from "../contract/open-questions.ts";
import { generatedNotice } from "./notice.ts";

const injectedImports = `import type { Decimal, DecimalInput } from "./runtime/decimal.js";
import type { FileUpload, UnlistedValue } from "./runtime/types.js";`;

/**
 * The text of `types.d.ts`: paths, operations, webhooks and schemas, and an alias for each schema.
 *
 * Open sets keep completion for their known values, a value outside of a listed set is `UnlistedValue`, and files are
 * `FileUpload`. What is assumed or proposed says so in its JSDoc.
 */
export async function generateTypes(document: OpenApiDocument, questions: OpenQuestions): Promise<string> {
  const annotated = annotate(structuredClone(document), questions);
  const nodes = await openapiTS(annotated as unknown as Parameters<typeof openapiTS>[0] & object, {
    alphabetize: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    inject: injectedImports,
    silent: true,
    transform: transformSchema,
  });
  return `${generatedNotice}\n${astToString(nodes)}`;
}

/** Schemas that have a type of their own in the runtime. */
const brandedSchemas: Record<string, string> = { DecimalString: "Decimal", UnsignedDecimalString: "DecimalInput" };

function transformSchema(schema: SchemaObject, { path }: TransformNodeOptions): ts.TypeNode | undefined {
  const node = schema as JsonSchema;
  const branded = brandedSchemas[path?.replace("#/components/schemas/", "") ?? ""];
  if (branded !== undefined) return reference(branded);
  if (node.type === "string" && node.format === "binary") return reference("FileUpload");
  if (node.type === "string" && isOpenComplement(node)) return reference("UnlistedValue");
  const known = node["x-open-enum"] as Record<string, unknown> | undefined;
  return known === undefined ? undefined : openUnion(Object.keys(known));
}

/** Whether a schema stands for every string except the listed ones. */
function isOpenComplement(schema: JsonSchema): boolean {
  return Array.isArray((schema.not as JsonSchema | undefined)?.enum);
}

function reference(name: string): ts.TypeNode {
  return ts.factory.createTypeReferenceNode(name);
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

/** Adds to the descriptions what the `x-` keys say, because openapi-typescript does not read them. */
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

/** Keys whose values are data and no part of the description. */
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
  return [];
}
