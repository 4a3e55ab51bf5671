import { join } from "node:path";
import { sharedAjv } from "../base/json-schema/index.ts";
import { readYaml } from "../contract/sources/index.ts";

/** The types to which a keyword applies. Keywords that apply to all types are not included. */
export const typesOfKeyword: ReadonlyMap<string, readonly string[]> = (() => {
  const typesByKeyword = new Map<string, string[]>();
  for (const { type, rules } of sharedAjv.RULES.rules) {
    if (type === undefined) continue;
    const types = type === "number" ? ["number", "integer"] : [type];
    for (const { keyword } of rules) typesByKeyword.set(keyword, [...(typesByKeyword.get(keyword) ?? []), ...types]);
  }
  return typesByKeyword;
})();

/** Reads a schema that accepts any value of an `x-` key, because lint checks these values against extensions.yaml. */
export function readSchema(name: "errors" | "openapi"): object {
  const schema = readYaml(join(import.meta.dirname, `schemas/${name}.schema.yaml`), "The schema");
  return JSON.parse(JSON.stringify(schema), (key, value) => (key.startsWith("x-") ? true : value)) as object;
}
