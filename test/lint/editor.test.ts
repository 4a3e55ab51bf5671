import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseYaml } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";
import { createAjv } from "../../scripts/base/json-schema/index.ts";

const settings = JSON.parse(read(".vscode/settings.json")) as { "yaml.schemas": Record<string, string | string[]> };
const schemaAssignments = Object.entries(settings["yaml.schemas"]).flatMap(([schema, files]) =>
  [files].flat().map((pattern) => ({ schema, files: pattern })),
);
const registry = "openapi/extensions.yaml";

describe("editors", () => {
  it.each(schemaAssignments)("get for $files the schema $schema, which these files match", ({ schema, files }) => {
    const ajv = createAjv();
    // Resolves the relative references of the schemas to extensions.yaml, as editors do.
    const keys = parseYaml(read(registry)) as object;
    ajv.addVocabulary(Object.keys(keys));
    ajv.addSchema(keys, `file:///${registry}`);
    const validate = ajv.compile({ ...(parseYaml(read(schema)) as object), $id: `file:///${schema.slice(2)}` });
    const paths = pathsMatching(files);
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) expect([validate(parseYaml(read(path))), validate.errors], path).toEqual([true, null]);
  });

  it("need no network for the schemas", () => {
    expect(settings).toHaveProperty(["yaml.schemaStore.enable"], false);
  });
});

function read(path: string): string {
  return readFileSync(join(projectRoot, path), "utf8");
}

function pathsMatching(pattern: string): string[] {
  if (!pattern.includes("*")) return [pattern];
  const names = readdirSync(join(projectRoot, "openapi"), { recursive: true, encoding: "utf8" });
  const expression = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", "[^/]+")}$`);
  return names.map((name) => `openapi/${name.replaceAll("\\", "/")}`).filter((name) => expression.test(name));
}
