import ts from "typescript";
import { type Contract, isRef, requestSchemasOf, walkSchema } from "../../../contract/model/index.ts";
import { changeType, createUnion } from "./nodes.ts";

/** Includes schemas that bodies and parameters of requests use through other schemas. */
export function requestSchemaNamesOf({ operations }: Contract): ReadonlySet<string> {
  const names = new Set<string>();
  for (const schema of operations.flatMap(requestSchemasOf))
    walkSchema(schema, ({ value, target }) => {
      if (isRef(value)) names.add(target.name);
    });
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
