/** Where a key of an OpenAPI document is a keyword, and where it is a name. */

const dataKeywords = new Set(["example", "value", "default", "const", "enum"]);

/** Maps and lists of maps whose keys are names, such as that of a property called `example` or of the header `x-request-id`. */
const mapKeywords = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "dependentRequired", "$defs", "mapping"],
  ...["webhooks", "parameters", "headers", "content", "encoding", "examples", "callbacks", "links", "variables"],
  ...["scopes", "security"],
]);

/** Maps whose keys are no keywords, but which can have extensions: paths, and responses by their status. */
const extensibleMaps = new Set(["paths", "responses"]);

type Kind = "object" | "map" | "extensible map" | "components";

/**
 * Visits the objects that OpenAPI and JSON Schema define and that can have extensions, the inner ones first. Leaves out data, the values of
 * extensions, and maps that have names only.
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

/** Whether the value of the keyword is data, in which no key is a keyword. That of `examples` is data if it is a list. */
export function isData(keyword: string, value: unknown): boolean {
  return dataKeywords.has(keyword) || (keyword === "examples" && Array.isArray(value));
}
