import { type Operation, type SourceLocation, subschemasOf } from "../../contract/model/index.ts";
import type { PlanData } from "../plan/attach.ts";
import type { SensitiveParts } from "../plan/plan.ts";

type Members = Record<string, SensitiveParts>;

/**
 * @param names the names of members that are sensitive anywhere. A member with such a name that is not sensitive here gets the entry false.
 */
export function sensitiveOf(
  { requestBody, responses }: Operation,
  names: readonly string[],
): PlanData["operations"][number]["sensitive"] {
  const partsOf = (bodies: readonly { readonly schema: SourceLocation }[]) =>
    bodies.reduce<SensitiveParts>((parts, { schema }) => mergeParts(parts, partsIn(schema, names)), {});
  const entries = responses.map(({ key, bodies }) => [key, partsOf(bodies)] as const);
  const requestParts = partsOf(requestBody?.bodies ?? []);
  return {
    ...(isEmpty(requestParts) ? {} : { request: requestParts }),
    responses: Object.fromEntries(entries.filter(([, parts]) => !isEmpty(parts))),
  };
}

function partsIn(schema: SourceLocation, names: readonly string[], ancestors: readonly string[] = []): SensitiveParts {
  if (ancestors.includes(schema.id)) return {};
  const visitedIds = [...ancestors, schema.id];
  if (schema.child("x-sensitive").value === true) return true;
  let parts: SensitiveParts = schema.target.id === schema.id ? {} : partsIn(schema.target, names, visitedIds);
  for (const { schema: subschema, role, property } of subschemasOf(schema)) {
    const subschemaParts = partsIn(subschema, names, visitedIds);
    if (role === "in-place") parts = mergeParts(parts, subschemaParts);
    else if (!isEmpty(subschemaParts)) parts = mergeParts(parts, { [property ?? "*"]: subschemaParts });
    else if (property !== undefined && names.includes(property)) parts = mergeParts(parts, { [property]: false });
  }
  return parts;
}

function mergeParts(parts: SensitiveParts, otherParts: SensitiveParts): SensitiveParts {
  if (parts === true || otherParts === true) return true;
  if (parts === false) return otherParts;
  if (otherParts === false) return parts;
  const mergedParts: Members = { ...parts };
  for (const [name, part] of Object.entries(otherParts))
    mergedParts[name] = mergeParts(mergedParts[name] ?? false, part);
  return mergedParts;
}

function isEmpty(parts: SensitiveParts): boolean {
  return typeof parts === "object" && Object.keys(parts).length === 0;
}
