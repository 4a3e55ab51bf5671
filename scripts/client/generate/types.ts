/** Generates the TypeScript types with openapi-typescript. */
import openapiTS, { astToString, type SchemaObject, type TransformNodeOptions } from "openapi-typescript";
import ts from "typescript";
import type { JsonSchema, OpenApiDocument, OpenQuestions } from "../../contract/model/index.ts";
import { annotate, describeReferences } from "./descriptions.ts";
import { brandedSchemas } from "./operation-types.ts";
import { contractTypes, experimentalNotice, generatedNotice, toComment } from "./text.ts";

const runtimeTypes = ["Absent", "DecimalInput", "FileUpload"];

export async function generateTypes(document: OpenApiDocument, questions: OpenQuestions): Promise<string> {
  const annotatedDocument = annotate(describeReferences(structuredClone(document), document), questions);
  const nodes = await openapiTS(annotatedDocument as unknown as Parameters<typeof openapiTS>[0] & object, {
    alphabetize: false,
    // An object schema without properties accepts any members.
    emptyObjectsUnknown: true,
    rootTypes: true,
    rootTypesKeepCasing: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
    transform: transformSchema,
  });
  const requestSchemaNames = new Set(requestSchemasOf(document));
  const { transformed } = ts.transform(nodes, [(context) => (node) => makeReadable(node, context)]);
  const text = astToString(nameSchemas(transformed, requestSchemaNames));
  return `${generatedNotice}\n${importsOf(text)}${text}`;
}

/** Returns the import of the runtime types that the text uses. The compiler rejects unused imports. */
function importsOf(text: string): string {
  const usedTypes = runtimeTypes.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return usedTypes.length === 0 ? "" : `import type { ${usedTypes.join(", ")} } from "${contractTypes}";\n`;
}

/** The names of the schemas that requests use, in bodies and parameters, directly or through other schemas. */
function requestSchemasOf(document: OpenApiDocument): string[] {
  const schemas = (document.components?.schemas ?? {}) as Record<string, unknown>;
  const requests = JSON.stringify(Object.values(document.paths ?? {}), (key, value) =>
    key === "responses" ? {} : value,
  );
  const referencedNames = (text: string) =>
    [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name as string);
  const names = new Set(referencedNames(requests));
  // The loop also visits names that are added while it runs.
  for (const name of names)
    for (const innerName of referencedNames(JSON.stringify(schemas[name]))) names.add(innerName);
  return [...names];
}

/**
 * Lets optional members of a body be undefined, also under `exactOptionalPropertyTypes`, because JSON omits undefined members. A member
 * that changes the meaning of the call if it is missing must not be undefined.
 */
function acceptUndefined(node: ts.Node): ts.Node {
  const visitedNode = ts.visitEachChild(node, acceptUndefined, undefined);
  if (!ts.isPropertySignature(visitedNode) || visitedNode.questionToken === undefined || visitedNode.type === undefined)
    return visitedNode;
  if (ts.isTypeReferenceNode(visitedNode.type) && (visitedNode.type.typeName as ts.Identifier).text === "Absent")
    return visitedNode;
  const { modifiers, name, questionToken, type } = visitedNode;
  const typeOrUndefined = createUnion([type, ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)]);
  const member = ts.factory.createPropertySignature(modifiers, name, questionToken, typeOrUndefined);
  return ts.setSyntheticLeadingComments(member, ts.getSyntheticLeadingComments(node));
}

function transformSchema(schema: SchemaObject, { path }: TransformNodeOptions): ts.TypeNode | undefined {
  const node = schema as JsonSchema;
  const brandedTypes = brandedSchemas[path?.replace("#/components/schemas/", "") ?? ""];
  if (brandedTypes !== undefined) return createUnion(brandedTypes.map(createReference));
  if (node.type === "string" && node.format === "binary") return createReference("FileUpload");
  const knownValues = node["x-open-enum"] as Record<string, unknown> | undefined;
  return knownValues === undefined ? undefined : createOpenUnion(Object.keys(knownValues));
}

function createReference(name: string): ts.TypeNode {
  return ts.factory.createTypeReferenceNode(name);
}

function createUnion(types: readonly ts.TypeNode[]): ts.TypeNode {
  return types.length === 1 ? (types[0] as ts.TypeNode) : ts.factory.createUnionTypeNode(types);
}

/** `"A" | "B" | (string & Record<never, never>)`: any string, with completion for the known values, even inside `NonNullable`. */
function createOpenUnion(values: string[]): ts.TypeNode {
  const literals = values.map((value) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value)));
  return ts.factory.createUnionTypeNode([...literals, createReference("(string & Record<never, never>)")]);
}

function makeReadable(node: ts.Node, context: ts.TransformationContext): ts.Node {
  const [comment] = ts.getSyntheticLeadingComments(node) ?? [];
  if (comment !== undefined) {
    const text = readableComment(comment.text);
    ts.setSyntheticLeadingComments(node, text === "" ? [] : [{ ...comment, text }]);
  }
  if (ts.isIndexedAccessTypeNode(node) && keyOf(node.objectType) === "schemas") {
    const types = (brandedSchemas[keyOf(node)] ?? [keyOf(node)]).map(createReference);
    return types.length === 1 ? createUnion(types) : ts.factory.createParenthesizedType(createUnion(types));
  }
  // openapi-typescript writes string literals as identifiers, which TypeScript refuses as types if NODE_ENV is "development".
  if (ts.isIdentifier(node) && node.text.startsWith('"')) return ts.factory.createTypeReferenceNode(node);
  return ts.visitEachChild(node, (child) => makeReadable(child, context), context);
}

/**
 * Converts the type of an object that requires at least one of several members, such as the payer or the payee of a transfer, to a union
 * with one type for each valid set of members. A member that may be `undefined` fits none of these types: without the member, the call has
 * another meaning.
 */
function writeAlternatives(type: ts.TypeNode): ts.TypeNode {
  if (!ts.isIntersectionTypeNode(type) || type.types.length !== 2) return type;
  const [base, alternatives] = type.types.map((each) => (ts.isParenthesizedTypeNode(each) ? each.type : each));
  if (base === undefined || !ts.isTypeLiteralNode(base)) return type;
  if (alternatives === undefined || !ts.isUnionTypeNode(alternatives)) return type;
  const names = alternatives.types.flatMap((each) =>
    ts.isTypeLiteralNode(each) ? each.members.filter(ts.isPropertySignature).map(nameOf) : [],
  );
  const members = base.members.filter(ts.isPropertySignature);
  const alternativeMembers = members.filter((member) => names.includes(nameOf(member)));
  if (
    alternativeMembers.length !== alternatives.types.length ||
    alternativeMembers.some(({ questionToken }) => !questionToken)
  )
    return type;
  const literals = Array.from({ length: 2 ** alternativeMembers.length - 1 }, (_, index) => {
    const literalMembers = alternativeMembers.map((member, bit) => {
      const isRequired = ((index + 1) >> bit) % 2 === 1;
      const { modifiers, name, questionToken } = member;
      return isRequired
        ? ts.setSyntheticLeadingComments(
            ts.factory.createPropertySignature(modifiers, name, undefined, member.type),
            ts.getSyntheticLeadingComments(member),
          )
        : ts.factory.createPropertySignature(modifiers, name, questionToken, createReference("Absent"));
    });
    return ts.factory.createTypeLiteralNode(literalMembers);
  });
  const otherMembers = ts.factory.createTypeLiteralNode(
    members.filter((member) => !alternativeMembers.includes(member)),
  );
  return ts.factory.createIntersectionTypeNode([
    otherMembers,
    ts.factory.createParenthesizedType(ts.factory.createUnionTypeNode(literals)),
  ]);
}

function keyOf(type: ts.TypeNode): string {
  const literal = ts.isIndexedAccessTypeNode(type) && ts.isLiteralTypeNode(type.indexType) && type.indexType.literal;
  return literal && ts.isStringLiteral(literal) ? literal.text : "";
}

/** Moves each schema from `components["schemas"]` to its alias, so that an editor shows `User` instead of its members. */
function nameSchemas(statements: readonly ts.Node[], requestSchemaNames: ReadonlySet<string>): ts.Node[] {
  const memberOf = (node: ts.InterfaceDeclaration | ts.TypeLiteralNode | undefined, name: string) =>
    node?.members.filter(ts.isPropertySignature).find((member) => nameOf(member) === name);
  const components = statements.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === "components");
  const { type: schemas } = memberOf(components, "schemas") ?? {};
  if (schemas === undefined || !ts.isTypeLiteralNode(schemas)) return [...statements];
  const typeOf = (name: string, type: ts.TypeNode) =>
    requestSchemaNames.has(name) ? (acceptUndefined(writeAlternatives(type)) as ts.TypeNode) : writeAlternatives(type);
  const aliases = statements.map((statement) => {
    const schema = ts.isTypeAliasDeclaration(statement) ? memberOf(schemas, statement.name.text) : undefined;
    if (schema?.type === undefined || !ts.isTypeAliasDeclaration(statement)) return statement;
    const { modifiers, name } = statement;
    const alias = ts.factory.createTypeAliasDeclaration(modifiers, name, undefined, typeOf(name.text, schema.type));
    return ts.setSyntheticLeadingComments(alias, ts.getSyntheticLeadingComments(schema));
  });
  const references = schemas.members.filter(ts.isPropertySignature).map((member) => {
    return ts.factory.createPropertySignature(
      undefined,
      member.name,
      member.questionToken,
      createReference(nameOf(member)),
    );
  });
  Object.assign(schemas, { members: ts.factory.createNodeArray(references) });
  return aliases;
}

function nameOf({ name }: ts.PropertySignature): string {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : "";
}

/**
 * Removes indentation and tags from a comment of openapi-typescript. Markdown shows indented text as code, and some tags repeat the type.
 */
function readableComment(comment: string): string {
  const lines = comment
    .replace(/^\* ?/, "")
    .split("\n")
    .map((line) => line.replace(/^ \* ?(?: {4})?/, "").trimEnd())
    .filter((line) => !/^(?:@enum|@constant|Format: binary)\b/.test(line))
    .flatMap((line, index, allLines) =>
      line.startsWith("@description ")
        ? [...(allLines.slice(0, index).some(Boolean) ? [""] : []), line.slice("@description ".length)]
        : [line],
    );
  const text = experimentalFirst(lines.join("\n").trim());
  return text.includes("\n") ? toComment(text.split("\n")).slice(2, -2) : text && `* ${text} `;
}

/** Moves the experimental notice to the start. openapi-typescript puts the summary before the description, which begins with the notice. */
function experimentalFirst(text: string): string {
  const parts = text.split(experimentalNotice).map((part) => part.trim());
  return (parts.length === 1 ? parts : [experimentalNotice, ...parts]).filter((part) => part !== "").join("\n\n");
}
