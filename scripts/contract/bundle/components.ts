import {
  isRef,
  type JsonSchema,
  keysOf,
  type OpenApiDocument,
  SourceLocation,
  visitObjects,
  walkSchema,
} from "../model/index.ts";

export function componentSchemasOf({ components }: OpenApiDocument): Record<string, JsonSchema> {
  return (components?.schemas ?? {}) as Record<string, JsonSchema>;
}

/** The schemas of components, parameters, headers and bodies, with their subschemas. */
export function locateSchemas(document: OpenApiDocument): SourceLocation[] {
  const schemas: SourceLocation[] = [];
  const addSchema = (schema: SourceLocation) =>
    walkSchema(schema, (inner) => void schemas.push(inner), { followsReferences: false });
  const root = SourceLocation.ofDocument(document);
  for (const [, schema] of root.child("components", "schemas").children()) addSchema(schema);
  visitObjects(document, (object, path) => {
    if ("schema" in object) addSchema(root.child(...path, "schema"));
  });
  return schemas;
}

/** Removes components that the rest of the document does not use, directly or through other components. Keeps security schemes. */
export function removeUnused(document: OpenApiDocument): void {
  const { components = {}, ...rest } = document;
  const usedComponents = new Set<string>();
  const addUsedComponents = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (isRef(node)) addComponent(node.$ref);
    for (const value of Object.values(node)) addUsedComponents(value);
  };
  const addComponent = (pointer: string): void => {
    // A pointer can also lead to a part of a component.
    const [root, section = "", name = ""] = keysOf(pointer);
    if (root !== "components" || usedComponents.has(`${section}/${name}`)) return;
    usedComponents.add(`${section}/${name}`);
    addUsedComponents(components[section]?.[name]);
  };
  addUsedComponents(rest);
  for (const [section, entries] of Object.entries(components)) {
    if (section === "securitySchemes" || section.startsWith("x-")) continue;
    for (const name of Object.keys(entries)) if (!usedComponents.has(`${section}/${name}`)) delete entries[name];
    if (Object.keys(entries).length === 0) delete components[section];
  }
}
