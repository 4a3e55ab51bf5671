import ts from "typescript";
import { experimentalNotice, toComment } from "../writing/text.ts";
import { createReference, createUnion } from "./nodes.ts";

/** Writes `User` for `components["schemas"]["User"]`, and shortens the comments. */
export function makeReadable(
  node: ts.Node,
  context: ts.TransformationContext,
  amountTypes: ReadonlyMap<string, readonly string[]>,
): ts.Node {
  const [comment] = ts.getSyntheticLeadingComments(node) ?? [];
  if (comment !== undefined) {
    const text = readableComment(comment.text);
    ts.setSyntheticLeadingComments(node, text === "" ? [] : [{ ...comment, text }]);
  }
  const schemaName = ts.isIndexedAccessTypeNode(node) && keyOf(node.objectType) === "schemas" ? keyOf(node) : undefined;
  if (schemaName !== undefined) {
    const types = (amountTypes.get(schemaName) ?? [schemaName]).map(createReference);
    return types.length === 1 ? createUnion(types) : ts.factory.createParenthesizedType(createUnion(types));
  }
  // openapi-typescript writes string literals as identifiers, which TypeScript refuses as types if NODE_ENV is "development".
  if (ts.isIdentifier(node) && node.text.startsWith('"')) return ts.factory.createTypeReferenceNode(node);
  return ts.visitEachChild(node, (child) => makeReadable(child, context, amountTypes), context);
}

/** `key` of the type `object["key"]`; undefined for other types. */
function keyOf(type: ts.TypeNode): string | undefined {
  const literal = ts.isIndexedAccessTypeNode(type) && ts.isLiteralTypeNode(type.indexType) && type.indexType.literal;
  return literal && ts.isStringLiteral(literal) ? literal.text : undefined;
}

/** Markdown shows indented text as code, and some tags repeat the type: both are removed. */
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
  const text = moveNoticeToStart(lines.join("\n").trim());
  return text.includes("\n") ? toComment(text.split("\n")).slice(2, -2) : text && `* ${text} `;
}

/** openapi-typescript puts the summary before the description, which begins with the experimental notice. */
function moveNoticeToStart(text: string): string {
  const parts = text.split(experimentalNotice).map((part) => part.trim());
  return (parts.length === 1 ? parts : [experimentalNotice, ...parts]).filter((part) => part !== "").join("\n\n");
}
