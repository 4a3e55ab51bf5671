/** Tells a member that the service has added from a documented member that it has renamed. */
import { inspect, isObject, type Schema } from "../client/src/entries/internal/index.ts";

/**
 * The documented members of which an unlisted member can be the new name: those that the object lacks and that accept the value.
 * A client reads nothing from a renamed member, while it is not affected by an additional one.
 *
 * @param schemas the schemas of the objects and their parts.
 * @param name the name of the unlisted member; `*` stands for any that no schema lists.
 */
export function renamedFrom(schemas: readonly Schema[], objects: readonly unknown[], name: string): string[] {
  const listed = new Map<string, Schema[]>();
  for (const { properties = {} } of schemas) {
    for (const [key, schema] of Object.entries(properties)) listed.set(key, [...(listed.get(key) ?? []), schema]);
  }
  const found = objects.filter(isObject).flatMap((object) => {
    const unlisted = Object.keys(object).filter((key) => (name === "*" ? !listed.has(key) : key === name));
    const values = unlisted.map((key) => object[key]);
    const lacking = [...listed].filter(([key]) => !Object.hasOwn(object, key));
    return lacking.flatMap(([key, accepting]) => (values.some((value) => fits(accepting, value)) ? [key] : []));
  });
  return [...new Set(found)];
}

/** Null and an empty text fit too many members to show anything. */
function fits(schemas: readonly Schema[], value: unknown): boolean {
  if (value === null || value === "") return false;
  return schemas.every((schema) => inspect(schema, value).violations.every(({ rule }) => rule === "unlisted-field"));
}
