import { type OpenApiDocument, SourceLocation, valueAt, walkSchema } from "../model/index.ts";

/** The schemas of components, parameters, headers and bodies, with their subschemas. */
export function schemasOf(document: OpenApiDocument): SourceLocation[] {
  const schemas: SourceLocation[] = [];
  const visit = (schema: SourceLocation) =>
    walkSchema(schema, (inner) => void schemas.push(inner), { followsReferences: false });
  const search = (location: SourceLocation): void => {
    for (const [key, part] of location.parts()) {
      if (key === "schema") visit(part);
      else if (!["example", "examples", "value"].includes(key)) search(part);
    }
  };
  const root = SourceLocation.ofDocument(document);
  for (const [, schema] of root.child("components", "schemas").parts()) visit(schema);
  for (const [key, part] of root.parts()) if (["paths", "webhooks"].includes(key)) search(part);
  for (const [key, part] of root.child("components").parts()) if (key !== "schemas") search(part);
  return schemas;
}

/** Removes the components, except security schemes, that no chain of references reaches from the rest of the document. */
export function removeUnused(document: OpenApiDocument): void {
  const { components = {}, ...rest } = document;
  const usedPointers = new Set<string>();
  const addUsedPointers = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key !== "$ref" || typeof value !== "string" || usedPointers.has(value)) addUsedPointers(value);
      else {
        usedPointers.add(value);
        addUsedPointers(valueAt(document, value));
      }
    }
  };
  addUsedPointers(rest);
  for (const [section, entries] of Object.entries(components)) {
    if (section === "securitySchemes") continue;
    for (const name of Object.keys(entries))
      if (!usedPointers.has(`#/components/${section}/${name}`)) delete entries[name];
    if (Object.keys(entries).length === 0) delete components[section];
  }
}
