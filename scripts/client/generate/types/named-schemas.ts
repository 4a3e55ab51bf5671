import ts from "typescript";
import type { Contract } from "../../../contract/model/index.ts";
import { writeAlternatives } from "./alternatives.ts";
import { changeType, createReference, memberNameOf, membersOf } from "./nodes.ts";
import { acceptUndefined, requestSchemaNamesOf } from "./request-schemas.ts";

/** With an alias for each schema in `components["schemas"]`, an editor shows `User` instead of its members. */
export function nameSchemas(statements: readonly ts.Node[], contract: Contract): ts.Node[] {
  const requestSchemaNames = requestSchemaNamesOf(contract);
  const components = statements.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === "components");
  const list = components && membersOf(components).find((member) => memberNameOf(member) === "schemas");
  if (list?.type === undefined || !ts.isTypeLiteralNode(list.type)) return [...statements];
  const schemas = membersOf(list.type);
  const aliasedTypeOf = (type: ts.TypeNode, name: string) => {
    const aliasedType = writeAlternatives(type, contract.root.child("components", "schemas", name));
    return requestSchemaNames.has(name) ? acceptUndefined(aliasedType) : aliasedType;
  };
  const references = changeType(list, ts.factory.createTypeLiteralNode(schemas.map(referenceTo)));
  return statements.map((statement) => {
    if (statement === components) return replaceMember(components, list, references);
    if (!ts.isTypeAliasDeclaration(statement)) return statement;
    const schema = schemas.find((member) => memberNameOf(member) === statement.name.text);
    return schema?.type === undefined
      ? statement
      : aliasOf(statement, schema, aliasedTypeOf(schema.type, statement.name.text));
  });
}

function referenceTo(schema: ts.PropertySignature): ts.PropertySignature {
  return ts.factory.createPropertySignature(
    undefined,
    schema.name,
    schema.questionToken,
    createReference(memberNameOf(schema)),
  );
}

function replaceMember(node: ts.InterfaceDeclaration, member: ts.TypeElement, replacement: ts.TypeElement): ts.Node {
  const { modifiers, name, typeParameters, heritageClauses } = node;
  const members = node.members.map((candidate) => (candidate === member ? replacement : candidate));
  return ts.factory.updateInterfaceDeclaration(node, modifiers, name, typeParameters, heritageClauses, members);
}

function aliasOf(statement: ts.TypeAliasDeclaration, schema: ts.PropertySignature, type: ts.TypeNode): ts.Node {
  const { modifiers, name } = statement;
  const alias = ts.factory.updateTypeAliasDeclaration(statement, modifiers, name, undefined, type);
  return ts.setSyntheticLeadingComments(alias, ts.getSyntheticLeadingComments(schema));
}
