/** Takes out the components that nothing uses, P-codes excepted: the catalogue of an edition is whole. */
import { isCode, type OpenApiDocument, valueAt } from "../contract/index.ts";

/**
 * Keeps the components that paths, webhooks and P-codes lead to, and every security scheme. A client knows with them
 * also the codes that no operation of the edition is known to return.
 */
export function removeUnused(document: OpenApiDocument): void {
  const { components = {}, ...rest } = document;
  const used = new Set<string>();
  const follow = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key !== "$ref" || typeof value !== "string" || used.has(value)) follow(value);
      else {
        used.add(value);
        follow(valueAt(document, value));
      }
    }
  };
  follow(rest);
  for (const name of Object.keys(components.schemas ?? {})) {
    if (isCode(name)) follow({ $ref: `#/components/schemas/${name}` });
  }
  for (const [section, entries] of Object.entries(components)) {
    if (section === "securitySchemes") continue;
    for (const name of Object.keys(entries)) if (!used.has(`#/components/${section}/${name}`)) delete entries[name];
    if (Object.keys(entries).length === 0) delete components[section];
  }
}
