/** What the contract marks as sensitive. */
import { isRef, type OpenApiDocument, resolve } from "../contract/document.ts";

/**
 * Names of all properties, parameters and headers that are marked with `x-sensitive`, themselves or by the schema they
 * refer to, in alphabetical order.
 */
export function findSensitiveNames(document: OpenApiDocument): string[] {
  const names = new Set<string>();
  const isSensitive = (node: unknown): boolean => {
    if (typeof node !== "object" || node === null) return false;
    if ("x-sensitive" in node && node["x-sensitive"] === true) return true;
    return isRef(node) && isSensitive(resolve<object>(document, node));
  };
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { properties, name, schema } = node as { properties?: object; name?: unknown; schema?: unknown };
    for (const [property, value] of Object.entries(properties ?? {})) if (isSensitive(value)) names.add(property);
    if (typeof name === "string" && (isSensitive(node) || isSensitive(schema))) names.add(name);
    Object.values(node).forEach(visit);
  };
  visit(document);
  return [...names].sort();
}
