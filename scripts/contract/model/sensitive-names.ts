import { walkSchema } from "./schemas.ts";
import type { SourceLocation } from "./source-location.ts";

/** The sorted names of the properties, parameters and security schemes that are marked with `x-sensitive`, also in their schemas. */
export function findSensitiveNames(root: SourceLocation): string[] {
  const names = new Set<string>();
  const visit = (location: SourceLocation): void => {
    const { value } = location;
    if (typeof value !== "object" || value === null) return;
    for (const [name, property] of location.child("properties").entries()) if (isSensitive(property)) names.add(name);
    const name = location.child("name").value;
    if (typeof name === "string" && (isSensitive(location) || isSensitive(location.child("schema")))) names.add(name);
    for (const key of Object.keys(value)) visit(location.child(key));
  };
  visit(root);
  return [...names].sort();
}

/** Whether the value is marked, or its items or the values of a map, which have no names. Marks of properties do not count. */
function isSensitive(location: SourceLocation): boolean {
  let isMarked = false;
  walkSchema(
    location,
    (schema, { path }) => {
      isMarked ||= path.length === 0 && schema.child("x-sensitive").value === true;
    },
    { includesConditions: false },
  );
  return isMarked;
}
