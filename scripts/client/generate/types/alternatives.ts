import { astToString } from "openapi-typescript";
import ts from "typescript";
import { type SourceLocation, schemasOfValue } from "../../../contract/model/index.ts";
import { demand } from "../reading/refusal.ts";
import { createReference, membersOf } from "./nodes.ts";

/** Each further member would double the number of types. */
const maxAlternatives = 6;

/**
 * An object can require at least one of several members, such as the payer or the payee of a transfer; with `oneOf`, exactly one. Its type
 * becomes a union with one type for each valid set of members. None of these types accepts `undefined` for a member, because a call without
 * the member has another meaning.
 */
export function writeAlternatives(type: ts.TypeNode, schema: SourceLocation): ts.TypeNode {
  const parts = readAlternatives(type);
  if (parts === undefined) return type;
  const { alternatives, otherMembers } = parts;
  const isExclusive = schemasOfValue(schema, "allOf").some((part) => part.child("oneOf").exists);
  demand(
    isExclusive || alternatives.length <= maxAlternatives,
    schema,
    `The type of the client would have ${2 ** alternatives.length - 1} alternatives, one for each choice of ${alternatives.length} members`,
    `Let at most ${maxAlternatives} members be required alternatively, or exactly one with oneOf`,
  );
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
 * The members of which an object requires at least one, and its other members. Undefined unless the type has the form that
 * openapi-typescript writes for such an object: all members as optional, and a union of types that each require one of them.
 */
function readAlternatives(type: ts.TypeNode) {
  if (!ts.isIntersectionTypeNode(type) || type.types.length !== 2) return undefined;
  const [base, union] = type.types.map((part) => (ts.isParenthesizedTypeNode(part) ? part.type : part));
  if (base === undefined || !ts.isTypeLiteralNode(base) || union === undefined || !ts.isUnionTypeNode(union))
    return undefined;
  const choices = union.types.map((choice) => (ts.isTypeLiteralNode(choice) ? membersOf(choice) : []));
  if (choices.some(({ length }) => length !== 1)) return undefined;
  const requiredMembers = choices.flat();
  const isAlternative = (member: ts.PropertySignature) =>
    member.questionToken !== undefined &&
    requiredMembers.some((required) => memberTextOf(required) === memberTextOf(toRequired(member)));
  const members = membersOf(base);
  const alternatives = members.filter(isAlternative);
  if (alternatives.length !== choices.length) return undefined;
  return { alternatives, otherMembers: members.filter((member) => !alternatives.includes(member)) };
}

function memberTextOf({ name, questionToken, type }: ts.PropertySignature): string {
  return astToString(ts.factory.createPropertySignature(undefined, name, questionToken, type));
}

function toRequired(member: ts.PropertySignature): ts.PropertySignature {
  const { modifiers, name, type } = member;
  return ts.factory.updatePropertySignature(member, modifiers, name, undefined, type);
}

function toAbsent({ modifiers, name, questionToken }: ts.PropertySignature): ts.PropertySignature {
  return ts.factory.createPropertySignature(modifiers, name, questionToken, createReference("Absent"));
}
