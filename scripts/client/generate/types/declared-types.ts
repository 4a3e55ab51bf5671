import ts from "typescript";
import { memberNameOf, membersOf } from "./nodes.ts";

/** The types that a generated file declares. */
export class DeclaredTypes {
  readonly #types = new Map<string, ts.TypeNode | ts.InterfaceDeclaration>();

  constructor(text: string) {
    const options = { languageVersion: ts.ScriptTarget.ES2022, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
    for (const statement of ts.createSourceFile("types.ts", text, options).statements) {
      if (ts.isTypeAliasDeclaration(statement)) this.#types.set(statement.name.text, statement.type);
      if (ts.isInterfaceDeclaration(statement)) this.#types.set(statement.name.text, statement);
    }
  }

  /** @param keys the name of a declaration, and the keys that lead from it to the type. */
  at([name = "", ...keys]: readonly string[]): ts.TypeNode | undefined {
    return keys.reduce<ts.Node | undefined>((type, key) => {
      const holder = type && ts.isIndexedAccessTypeNode(type) ? this.at(keysOf(type)) : type;
      return holder && typesOfMember(holder, key)[0];
    }, this.#types.get(name)) as ts.TypeNode | undefined;
  }

  /** The names of the required members of each object that the type allows. */
  requiredMembersOf(type: ts.TypeNode | undefined): string[][] {
    if (type === undefined) return [];
    if (ts.isParenthesizedTypeNode(type)) return this.requiredMembersOf(type.type);
    if (ts.isUnionTypeNode(type)) return type.types.flatMap((part) => this.requiredMembersOf(part));
    if (ts.isIntersectionTypeNode(type)) return combine(type.types.map((part) => this.requiredMembersOf(part)));
    if (ts.isIndexedAccessTypeNode(type)) return this.requiredMembersOf(this.at(keysOf(type)));
    if (type.kind === ts.SyntaxKind.UnknownKeyword) return [[]];
    if (ts.isTypeLiteralNode(type))
      return [membersOf(type).flatMap((member) => (member.questionToken === undefined ? [memberNameOf(member)] : []))];
    if (!ts.isTypeReferenceNode(type)) return [];
    const name = (type.typeName as ts.Identifier).text;
    const [base, keys] = type.typeArguments ?? [];
    if (name === "Record") return [[]];
    if (name === "WithRequired" && base && keys) return combine([this.requiredMembersOf(base), [textsOf(keys)]]);
    return this.requiredMembersOf(this.#types.get(name) as ts.TypeNode | undefined);
  }
}

/** The parts of unions and intersections, in which references are not followed. */
export function partsOfType(type: ts.Node): ts.Node[] {
  if (ts.isParenthesizedTypeNode(type)) return partsOfType(type.type);
  return ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type) ? type.types.flatMap(partsOfType) : [type];
}

export function typesOfMember(type: ts.Node, name: string): ts.TypeNode[] {
  return partsOfType(type)
    .flatMap((part) => (ts.isTypeLiteralNode(part) || ts.isInterfaceDeclaration(part) ? membersOf(part) : []))
    .flatMap((member) => (member.type !== undefined && memberNameOf(member) === name ? [member.type] : []));
}

/** `["components", "responses", "Failed"]` of `components["responses"]["Failed"]`. */
function keysOf(type: ts.TypeNode): string[] {
  if (ts.isIndexedAccessTypeNode(type)) return [...keysOf(type.objectType), ...textsOf(type.indexType)];
  return ts.isTypeReferenceNode(type) ? [(type.typeName as ts.Identifier).text] : [];
}

/** `["a", "b"]` of `"a" | "b"`. */
function textsOf(type: ts.TypeNode): string[] {
  return partsOfType(type).flatMap((part) =>
    ts.isLiteralTypeNode(part) && ts.isStringLiteral(part.literal) ? [part.literal.text] : [],
  );
}

/** All ways to take one list from each group, each joined to one list. */
export function combine(groups: readonly string[][][]): string[][] {
  return groups.reduce((lists, group) => lists.flatMap((list) => group.map((other) => [...list, ...other])), [[]]);
}
