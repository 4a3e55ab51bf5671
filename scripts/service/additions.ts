/** Distinguishes a member that the service has added from a documented member that it has renamed. */
import { inspect, isObject, type Schema } from "../client/src/entries/internal/index.ts";

/**
 * The documented members whose new name an unlisted member may be: they are absent from an object that has the unlisted member, and their
 * schema accepts its value. A renamed member affects clients, because they cannot read the value; an additional member does not.
 *
 * @param schemas the schemas of the objects, including the subschemas that they combine.
 * @param objects the received objects.
 * @param name the name of the unlisted member; `*` stands for every member that no schema lists.
 */
export function possibleOldNames(schemas: readonly Schema[], objects: readonly unknown[], name: string): string[] {
  const members = schemas.flatMap(({ properties = {} }) => Object.entries(properties));
  const listedNames = new Set(members.map(([key]) => key));
  const oldNames = objects.filter(isObject).flatMap((object) => {
    const unlistedNames = Object.keys(object).filter((key) => (name === "*" ? !listedNames.has(key) : key === name));
    return members
      .filter(([key]) => !Object.hasOwn(object, key))
      .filter(([, schema]) => unlistedNames.some((key) => acceptsValue(schema, object[key])))
      .map(([key]) => key);
  });
  return [...new Set(oldNames)];
}

/** Whether a value is valid apart from unlisted fields. False for null and an empty text, because the schemas of many members accept them. */
function acceptsValue(schema: Schema, value: unknown): boolean {
  if (value === null || value === "") return false;
  return inspect(schema, value).violations.every(({ rule }) => rule === "unlisted-field");
}
