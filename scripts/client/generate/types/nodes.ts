import ts from "typescript";

export function createReference(name: string): ts.TypeNode {
  return ts.factory.createTypeReferenceNode(name);
}

export function createUnion(types: readonly ts.TypeNode[]): ts.TypeNode {
  return types.length === 1 ? (types[0] as ts.TypeNode) : ts.factory.createUnionTypeNode(types);
}

export function membersOf({ members }: ts.TypeLiteralNode | ts.InterfaceDeclaration): ts.PropertySignature[] {
  return members.filter(ts.isPropertySignature);
}

/** openapi-typescript writes no computed names. */
export function memberNameOf({ name }: ts.PropertySignature): string {
  return (name as Exclude<ts.PropertyName, ts.ComputedPropertyName>).text;
}

/** The copy keeps the comment of the member. */
export function changeType(member: ts.PropertySignature, type: ts.TypeNode): ts.PropertySignature {
  const { modifiers, name, questionToken } = member;
  return ts.factory.updatePropertySignature(member, modifiers, name, questionToken, type);
}
