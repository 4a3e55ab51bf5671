import { type Operation, type SourceLocation, subschemasOf } from "../../contract/model/index.ts";
import type { PlanData } from "../plan/attach.ts";
import type { SensitiveParts } from "../plan/plan.ts";

type Members = Record<string, SensitiveParts>;

/** @param names members that are masked unless they have the entry `false`, which they get in schemas that do not mark them as sensitive. */
export function sensitiveOf(
  { requestBody, responses }: Operation,
  names: readonly string[],
): PlanData["operations"][number]["sensitive"] {
  const partsOf = (bodies: readonly { readonly schema: SourceLocation }[]) =>
    bodies.reduce<SensitiveParts>((parts, { schema }) => both(parts, partsIn(schema, names)), {});
  const entries = responses.map(({ key, bodies }) => [key, partsOf(bodies)] as const);
  const ofRequest = partsOf(requestBody?.bodies ?? []);
  return {
    ...(isEmpty(ofRequest) ? {} : { request: ofRequest }),
    responses: Object.fromEntries(entries.filter(([, parts]) => !isEmpty(parts))),
  };
}

function partsIn(schema: SourceLocation, names: readonly string[], above: readonly string[] = []): SensitiveParts {
  if (above.includes(schema.id)) return {};
  const within = [...above, schema.id];
  if (schema.own("x-sensitive").value === true) return true;
  let parts: SensitiveParts = schema.target.id === schema.id ? {} : partsIn(schema.target, names, within);
  for (const { schema: inner, role, property } of subschemasOf(schema)) {
    const found = partsIn(inner, names, within);
    if (role === "same") parts = both(parts, found);
    else if (!isEmpty(found)) parts = both(parts, { [property ?? "*"]: found });
    else if (property !== undefined && names.includes(property)) parts = both(parts, { [property]: false });
  }
  return parts;
}

function both(one: SensitiveParts, other: SensitiveParts): SensitiveParts {
  if (one === true || other === true) return true;
  if (one === false) return other;
  if (other === false) return one;
  const merged: Members = { ...one };
  for (const [name, part] of Object.entries(other)) merged[name] = both(merged[name] ?? false, part);
  return merged;
}

function isEmpty(parts: SensitiveParts): boolean {
  return typeof parts === "object" && Object.keys(parts).length === 0;
}
