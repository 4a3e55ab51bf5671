/** Distinguishes a member that the service has added from a documented member that it has renamed. */
import { inspect, isObject, type Schema } from "../client/src/entries/internal/index.ts";

/**
 * The documented members that an unlisted member may have replaced under a new name: each of them is absent from the object, and its schema
 * accepts the value. A renamed member affects clients, because they cannot read the value; an additional member does not affect clients.
 *
 * @param schemas the schemas of the objects and their parts.
 * @param objects the received objects.
 * @param name the name of the unlisted member; `*` stands for every member that no schema lists.
 */
export function possibleOldNames(schemas: readonly Schema[], objects: readonly unknown[], name: string): string[] {
  const schemasByName = new Map<string, Schema[]>();
  for (const { properties = {} } of schemas) {
    for (const [key, schema] of Object.entries(properties))
      schemasByName.set(key, [...(schemasByName.get(key) ?? []), schema]);
  }
  const oldNames = objects.filter(isObject).flatMap((object) => {
    const unlistedNames = Object.keys(object).filter((key) => (name === "*" ? !schemasByName.has(key) : key === name));
    const values = unlistedNames.map((key) => object[key]);
    const absentMembers = [...schemasByName].filter(([key]) => !Object.hasOwn(object, key));
    return absentMembers.flatMap(([key, fieldSchemas]) =>
      values.some((value) => acceptsValue(fieldSchemas, value)) ? [key] : [],
    );
  });
  return [...new Set(oldNames)];
}

/** Whether a value is valid for all schemas. False for null and an empty text, which too many members accept. */
function acceptsValue(schemas: readonly Schema[], value: unknown): boolean {
  if (value === null || value === "") return false;
  return schemas.every((schema) => inspect(schema, value).violations.every(({ rule }) => rule === "unlisted-field"));
}
