/** Where a key of an OpenAPI document is a keyword, and where it is a name. */

const dataKeywords = new Set(["example", "value", "default", "const", "enum"]);

/** Under these keywords, keys are names: a property can be called `example`, and a header `x-request-id`. */
const mapKeywords = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "dependentRequired", "$defs", "mapping"],
  ...["webhooks", "parameters", "headers", "content", "encoding", "examples", "callbacks", "links", "variables"],
  ...["scopes", "security"],
]);

/** Under these keywords, a key is a path or a status, unless it begins with `x-`: then it is an extension. */
const extensibleMaps = new Set(["paths", "responses"]);

type Kind = "object" | "map" | "extensible map" | "components";

/**
 * Visits the objects that can have extensions, inner objects first. Leaves out examples and other data, the values of extensions, and maps
 * such as `properties`.
 *
 * @param visit gets the keys that lead to the object.
 */
export function visitObjects(document: unknown, visit: (object: object, path: readonly string[]) => void): void {
  const walk = (node: unknown, kind: Kind, path: readonly string[]): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      const innerKind = Array.isArray(node) ? kind : kindUnder(key, value, kind);
      if (innerKind !== undefined) walk(value, innerKind, [...path, key]);
    }
    if (kind !== "map" && !Array.isArray(node)) visit(node, path);
  };
  walk(document, "object", []);
}

/** @returns undefined for data and extensions. */
function kindUnder(key: string, value: unknown, kind: Kind): Kind | undefined {
  if (kind === "map") return "object";
  if (key.startsWith("x-")) return undefined;
  if (kind === "components") return "map";
  if (kind === "extensible map") return "object";
  if (isData(key, value)) return undefined;
  if (key === "components") return "components";
  if (extensibleMaps.has(key)) return "extensible map";
  return mapKeywords.has(key) && !(key === "parameters" && Array.isArray(value)) ? "map" : "object";
}

/** Whether the keyword's value is data, without keywords inside. A list under `examples` is data; a map there has Example Objects. */
export function isData(keyword: string, value: unknown): boolean {
  return dataKeywords.has(keyword) || (keyword === "examples" && Array.isArray(value));
}
