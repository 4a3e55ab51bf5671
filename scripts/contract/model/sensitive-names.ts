import { walkSchema } from "./schemas.ts";
import type { SourceLocation } from "./source-location.ts";

/** The names, sorted, of all properties, parameters and security schemes that are marked with `x-sensitive`, directly or in their schemas. */
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

/** Whether the value is marked. Its items and the values of a map have no other name, so their marks count too; those of its properties do not. */
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
