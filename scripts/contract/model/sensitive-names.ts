import { isRef } from "./document.ts";
import { compositions } from "./schemas.ts";
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

function isSensitive(location: SourceLocation, visitedIds: readonly string[] = []): boolean {
  if (!location.exists || visitedIds.includes(location.id)) return false;
  if (location.child("x-sensitive").value === true) return true;
  const parts = compositions.flatMap((keyword) => location.child(keyword).items());
  const targets = isRef(location.value) ? [location.nextTarget] : [];
  const innerLocations = [...targets, ...parts, location.child("items"), location.child("additionalProperties")];
  return innerLocations.some((part) => isSensitive(part, [...visitedIds, location.id]));
}
