/** Generates the TypeScript types with openapi-typescript. */
import openapiTS, { astToString, type SchemaObject, type TransformNodeOptions } from "openapi-typescript";
import ts from "typescript";
import type { JsonSchema, OpenApiDocument, OpenQuestions } from "../contract/index.ts";
import { annotate, describeReferences } from "./descriptions.ts";
import { experimental, generatedNotice, runtimePath, toComment } from "./text.ts";

/** Types of the runtime that the generated types can refer to, by the file that exports them. */
const runtimeTypes = { "decimal.ts": ["Decimal", "DecimalInput"], "types.ts": ["FileUpload", "UnlistedValue"] };

/**
 * Generates the text of `types.ts`: paths, operations and webhooks, and a type for each schema, by whose name everything
 * else refers to it.
 *
 * Open sets keep completion for their known values, a value outside of a listed set is `UnlistedValue`, and files are
 * `FileUpload`. JSDoc comments name the open questions and the provenance of each element.
 */
export async function generateTypes(document: OpenApiDocument, questions: OpenQuestions): Promise<string> {
  const annotated = annotate(describeReferences(structuredClone(document), document), questions);
  const nodes = await openapiTS(annotated as unknown as Parameters<typeof openapiTS>[0] & object, {
    alphabetize: false,
    // An object of which nothing is known holds anything.
    emptyObjectsUnknown: true,
    rootTypes: true,
    rootTypesKeepCasing: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
    transform: transformSchema,
  });
  const text = nameSchemas(astToString(nodes)).replace(/ *\/\*\*[\s\S]*?\*\/\n/g, toReadableComment);
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

/** Schemas of amounts, which have a type in the runtime; a value may have any of the types. */
export const brandedSchemas: Record<string, readonly string[]> = {
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

/**
 * Moves each schema from `components["schemas"]` to the alias that openapi-typescript declares for it, and lets everything
 * refer to the alias: an editor then shows `User`, not its members or its place in the contract.
 */
function nameSchemas(text: string): string {
  const schemas = schemaMembers(text);
  const start = schemas[0]?.getFullStart() ?? 0;
  const end = schemas.at(-1)?.end ?? 0;
  const names = schemas.map((schema) => schema.name.getText());
  const members = names.map((name) => `\n        ${name}: ${name};`).join("");
  const types = new Map(
    schemas.map((schema, index) => [
      names[index],
      schema.getFullText().replace(`${names[index]}: `, `export type ${names[index]} = `).replace(/^ {8}/gm, "").trim(),
    ]),
  );
  return `${text.slice(0, start)}${members}${text.slice(end)}`
    .replace(/^export type \w+ = components\['schemas'\]\['(\w+)'\];$/gm, (_, name: string) => types.get(name) ?? "")
    .replace(/components\["schemas"\]\["(\w+)"\]/g, (_, name: string) => typeOf(name));
}

/** How a schema is referred to: by its name, an amount by its types, which an editor then shows. */
function typeOf(schema: string): string {
  const types = brandedSchemas[schema];
  if (types === undefined) return schema;
  return types.length === 1 ? types.join() : `(${types.join(" | ")})`;
}

/** The members of `components["schemas"]`. */
function schemaMembers(text: string): readonly ts.PropertySignature[] {
  const file = ts.createSourceFile("types.ts", text, ts.ScriptTarget.Latest, true);
  const components = file.statements.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === "components");
  const schemas = components?.members.filter(ts.isPropertySignature).find(({ name }) => name.getText() === "schemas");
  return schemas?.type !== undefined && ts.isTypeLiteralNode(schemas.type)
    ? schemas.type.members.filter(ts.isPropertySignature)
    : [];
}

/**
 * Rewrites a comment of openapi-typescript for hovers: a description is the text of the comment and no tag of it, its lines
 * are not indented (which Markdown takes for code), and tags that repeat the type are left out.
 */
function toReadableComment(comment: string): string {
  const [indent = ""] = comment.match(/^ */) ?? [];
  const lines = comment
    .replace(/^ *\/\*\* ?|\*\/\n$/g, "")
    .split("\n")
    .map((line) =>
      line
        .replace(/^ *\* ?/, "")
        .replace(/^ {4}/, "")
        .trimEnd(),
    )
    .filter((line) => !/^(?:@enum|@constant|Format: binary)\b/.test(line))
    .flatMap((line, index, all) =>
      line.startsWith("@description ")
        ? [...(all.slice(0, index).some(Boolean) ? [""] : []), line.slice("@description ".length)]
        : [line],
    );
  const text = experimentalFirst(lines.join("\n").trim());
  if (text === "") return "";
  const written = text.includes("\n") ? toComment(text.split("\n")) : `/** ${text} */`;
  return `${written.replace(/^/gm, indent)}\n`;
}

/** openapi-typescript writes a summary before the description that says that something is proposed. */
function experimentalFirst(text: string): string {
  const parts = text.split(experimental).map((part) => part.trim());
  return (parts.length === 1 ? parts : [experimental, ...parts]).filter((part) => part !== "").join("\n\n");
}
