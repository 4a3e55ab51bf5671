import ts from "typescript";
import { createReference, nameOf, propertiesOf } from "./nodes.ts";

/**
 * An object can require at least one of several members, such as the payer or the payee of a transfer. Its type becomes a union with one
 * type for each valid set of members: with `oneOf`, of one member. A member that may be `undefined` fits none of these types: without the member, the call has another
 * meaning.
 */
export function writeAlternatives(type: ts.TypeNode, isExclusive: boolean): ts.TypeNode {
  const parts = readAlternatives(type);
  if (parts === undefined) return type;
  const { alternatives, otherMembers } = parts;
  // Each number from 1 stands for a set of present alternatives, whose bits are 1.
  const sets = Array.from({ length: 2 ** alternatives.length - 1 }, (_, index) => index + 1);
  const literals = (isExclusive ? alternatives.map((_, bit) => 2 ** bit) : sets).map((set) =>
    ts.factory.createTypeLiteralNode(
      alternatives.map((member, bit) => ((set >> bit) % 2 === 1 ? toRequired(member) : toAbsent(member))),
    ),
  );
  return ts.factory.createIntersectionTypeNode([
    ts.factory.createTypeLiteralNode(otherMembers),
    ts.factory.createParenthesizedType(ts.factory.createUnionTypeNode(literals)),
  ]);
}

/**
 * Returns the members of which an object requires at least one, and its other members. Undefined unless the type has the form that
 * openapi-typescript writes for `anyOf` or `oneOf` beside `properties`: an object and a union with some of its optional members as required ones.
 */
function readAlternatives(type: ts.TypeNode) {
  if (!ts.isIntersectionTypeNode(type) || type.types.length !== 2) return undefined;
  const [base, union] = type.types.map((part) => (ts.isParenthesizedTypeNode(part) ? part.type : part));
  if (base === undefined || !ts.isTypeLiteralNode(base) || union === undefined || !ts.isUnionTypeNode(union))
    return undefined;
  const names = union.types.filter(ts.isTypeLiteralNode).flatMap(propertiesOf).map(nameOf);
  const members = propertiesOf(base);
  const alternatives = members.filter((member) => names.includes(nameOf(member)));
  if (alternatives.length !== union.types.length || alternatives.some(({ questionToken }) => !questionToken))
    return undefined;
  return { alternatives, otherMembers: members.filter((member) => !alternatives.includes(member)) };
}

function toRequired(member: ts.PropertySignature): ts.PropertySignature {
  const { modifiers, name, type } = member;
  return ts.factory.updatePropertySignature(member, modifiers, name, undefined, type);
}

function toAbsent({ modifiers, name, questionToken }: ts.PropertySignature): ts.PropertySignature {
  return ts.factory.createPropertySignature(modifiers, name, questionToken, createReference("Absent"));
}
