/** Walks through a document, past the data in it. */

export type Path = (string | number)[];
export type JsonObject = Record<string, unknown>;

/** Keys under which data of the service stands; `examples` of a schema are a list of such data. */
const dataKeys = ["value", "example", "default", "const", "enum"];

/** Visits every object of a document with its path; references are not followed, and data is left out. */
export function visitNodes(node: unknown, visit: (node: JsonObject, path: Path) => void, path: Path = []): void {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const [index, item] of node.entries()) visitNodes(item, visit, [...path, index]);
    return;
  }
  visit(node as JsonObject, path);
  // Below `properties` a key is the name of a field.
  const isMap = path.at(-1) === "properties";
  for (const [key, value] of Object.entries(node)) {
    const isData = dataKeys.includes(key) || (key === "examples" && Array.isArray(value));
    if (isMap || !isData) visitNodes(value, visit, [...path, key]);
  }
}
