import ts from "typescript";
import type { OpenApiDocument } from "../../../contract/model/index.ts";
import { changeType, createUnion } from "./nodes.ts";

/** Includes schemas that bodies and inline parameters of requests use through other schemas. */
export function requestSchemasOf(document: OpenApiDocument): ReadonlySet<string> {
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
  return names;
}

/**
 * JSON omits undefined members, so optional members of a body may be undefined, also under `exactOptionalPropertyTypes`. A member that
 * changes the meaning of the call if it is missing must not be undefined.
 */
export function acceptUndefined<T extends ts.Node>(node: T): T {
  const visitedNode = ts.visitEachChild(node, acceptUndefined, undefined);
  if (!ts.isPropertySignature(visitedNode) || visitedNode.questionToken === undefined || visitedNode.type === undefined)
    return visitedNode;
  const { type } = visitedNode;
  if (ts.isTypeReferenceNode(type) && (type.typeName as ts.Identifier).text === "Absent") return visitedNode;
  return changeType(
    visitedNode,
    createUnion([type, ts.factory.createKeywordTypeNode(ts.SyntaxKind.UndefinedKeyword)]),
  ) as ts.Node as T;
}
