/** Distinguishes a member that the service has added from a documented member that it has renamed. */
import { inspect, isObject, type Schema } from "../client/src/entries/internal/index.ts";

/**
 * The documented members that an unlisted member may have replaced under a new name: those that are absent from the object and accept the
 * value. A renamed member affects clients, because they cannot read it; an additional member does not.
 *
 * @param schemas the schemas of the objects and their parts.
 * @param objects the received objects.
 * @param name the name of the unlisted member; `*` stands for every member that no schema lists.
 */
export function possibleOldNames(schemas: readonly Schema[], objects: readonly unknown[], name: string): string[] {
  const listed = new Map<string, Schema[]>();
  for (const { properties = {} } of schemas) {
    for (const [key, schema] of Object.entries(properties)) listed.set(key, [...(listed.get(key) ?? []), schema]);
  }
  const found = objects.filter(isObject).flatMap((object) => {
    const unlisted = Object.keys(object).filter((key) => (name === "*" ? !listed.has(key) : key === name));
    const values = unlisted.map((key) => object[key]);
    const absent = [...listed].filter(([key]) => !Object.hasOwn(object, key));
    return absent.flatMap(([key, fieldSchemas]) =>
      values.some((value) => acceptsValue(fieldSchemas, value)) ? [key] : [],
    );
  });
  return [...new Set(found)];
}

/** Whether a value is valid for all schemas. False for null and an empty text, which too many members accept. */
function acceptsValue(schemas: readonly Schema[], value: unknown): boolean {
  if (value === null || value === "") return false;
  return schemas.every((schema) => inspect(schema, value).violations.every(({ rule }) => rule === "unlisted-field"));
}
