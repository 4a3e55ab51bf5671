import ts from "typescript";
import { branchesOf, type Contract, isRef, type SourceLocation } from "../../../contract/model/index.ts";
import { choicesOf } from "../reading/json-types.ts";
import { demandValue, Refusal } from "../reading/refusal.ts";
import { combine, DeclaredTypes, partsOfType, typesOfMember } from "./declared-types.ts";

/**
 * Compares the generated types with the schemas.
 *
 * @throws {Refusal} if the type is unknown in part or allows an object without the required members.
 */
export function checkTypes(text: string, { root, operations, webhooks }: Contract): void {
  const types = new DeclaredTypes(text);
  const check = (schema: SourceLocation, ...keys: string[]) => {
    const problem = `The client has no type for ${keys.join(" ")}`;
    const type = demandValue(types.at(keys), schema, problem, "State the type of the schema, or make it a component");
    const refusal = findRefusal(schema, type, types);
    if (refusal !== undefined) throw refusal;
  };
  for (const [name, schema] of root.child("components", "schemas").entries()) check(schema, name);
  for (const { operationId, parameters, requestBody, responses } of operations) {
    for (const { in: group, name, schema } of parameters)
      check(schema, "operations", operationId, "parameters", group, name);
    for (const { mediaType, schema } of requestBody?.bodies ?? [])
      check(schema, "operations", operationId, "requestBody", "content", mediaType);
    for (const { key, bodies } of responses)
      for (const { mediaType, schema } of bodies)
        check(schema, "operations", operationId, "responses", key, "content", mediaType);
  }
  for (const { name, method, requestBody } of webhooks)
    for (const { mediaType, schema } of requestBody?.bodies ?? [])
      check(schema, "webhooks", name, method, "requestBody", "content", mediaType);
}

function findRefusal(schema: SourceLocation, type: ts.TypeNode, types: DeclaredTypes): Refusal | undefined {
  // The component is compared by its own name.
  if (isRef(schema.value)) return undefined;
  const count = combinationCountOf(schema);
  if (count > maxCombinations) {
    const problem = `The client would compare ${count} combinations of the alternatives of this schema`;
    return new Refusal(schema, problem, `Leave at most ${maxCombinations}: join alternatives under allOf`);
  }
  const parts = partsOfType(type);
  if (parts.length > 1 && parts.some(({ kind }) => kind === ts.SyntaxKind.UnknownKeyword))
    return new Refusal(
      schema,
      "The client has no type for a part of this schema",
      "State the type in each of its branches",
    );
  const namesByAlternative = requiredNamesByAlternative(schema);
  for (const names of types.requiredMembersOf(type)) {
    const [missingNames, ...others] = namesByAlternative.map((required) =>
      required.filter((name) => !names.includes(name)),
    );
    if ([missingNames, ...others].some((missing) => missing?.length === 0)) continue;
    return new Refusal(
      schema,
      `The type of the client would allow an object without ${missingNames?.join(" and ") ?? "a schema"}`,
      "Write required beside properties with these members",
    );
  }
  for (const part of inlineSchemasOf(schema)) {
    const items = part.child("items");
    const itemTypes = parts.flatMap((partType) => (ts.isArrayTypeNode(partType) ? [partType.elementType] : []));
    const inner = part
      .child("properties")
      .children()
      .map(([name, property]) => [property, typesOfMember(type, name)] as const);
    for (const [innerSchema, innerTypes] of [...inner, [items, itemTypes] as const]) {
      // Branches can describe a member differently.
      const refusals = innerTypes.map((innerType) => findRefusal(innerSchema, innerType, types));
      if (refusals.length > 0 && !refusals.includes(undefined)) return refusals[0];
    }
  }
  return undefined;
}

/** The combinations must be limited, because each `anyOf` or `oneOf` under `allOf` multiplies their number. */
const maxCombinations = 256;

/** The number of lists that {@link requiredNamesByAlternative} makes at most. */
function combinationCountOf(schema: SourceLocation): number {
  return [
    ...(isRef(schema.value) ? [combinationCountOf(schema.nextTarget)] : []),
    ...branchesOf(schema, "allOf").map(combinationCountOf),
    ...choicesOf(schema).map((branches) => branches.map(combinationCountOf).reduce((sum, count) => sum + count)),
  ].reduce((product, count) => product * count, 1);
}

function inlineSchemasOf(schema: SourceLocation): SourceLocation[] {
  return [schema, ...branchesOf(schema).flatMap(inlineSchemasOf)];
}

/** The names that each alternative requires of an object; none if the schema allows no object. */
function requiredNamesByAlternative(schema: SourceLocation): string[][] {
  const types = schema.texts("type");
  if (types.length > 0 && !types.includes("object")) return [];
  return combine([
    [isRef(schema.value) ? [] : schema.texts("required")],
    ...(isRef(schema.value) ? [requiredNamesByAlternative(schema.nextTarget)] : []),
    ...branchesOf(schema, "allOf").map(requiredNamesByAlternative),
    ...choicesOf(schema).map((branches) => branches.flatMap(requiredNamesByAlternative)),
  ]);
}
