import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../scripts/base/index.ts";
import { diskFiles, readRedoclyConfig, readYaml, Sources } from "../../scripts/contract/sources/index.ts";
import { memorySources } from "../support/memory-sources.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("files on the disk", () => {
  const folder = temporaryFolder();
  const write = (path: string, text: string) => {
    writeFileSync(`${folder}/${path}`, text);
    return `${folder}/${path}`;
  };

  it("are listed without those that are no YAML or that editors and systems hide", () => {
    for (const path of ["schemas", ".history", "released"]) mkdirSync(`${folder}/${path}`);
    for (const path of ["openapi.yaml", "schemas/b.yml", "schemas/a.yaml", "README.md"]) write(path, "a: 1\n");
    for (const path of [".openapi.yaml.swp", "._openapi.yaml", "openapi.yaml~", ".history/openapi.yaml"])
      write(path, "\t");
    symlinkSync("user@host.1234", `${folder}/schemas/.#a.yaml`);
    const names = ["openapi.yaml", "schemas/a.yaml", "schemas/b.yml"];
    expect(diskFiles.list(folder)).toEqual(names.map((name) => `${folder}/${name}`));
    expect(new Sources(`${folder}/openapi.yaml`, diskFiles).unreadableFiles().map(({ file }) => file)).toEqual(
      ["extensions", "open-questions", "resources"].map((name) => `${folder}/${name}.yaml`),
    );
  });

  it("of releases are those that are named after a version", () => {
    for (const name of ["1.2.0.json", "1.10.0.json", "next.json", "1.2.0.yaml"]) write(`released/${name}`, name);
    expect(diskFiles.readReleases?.(folder)).toEqual({ "1.2.0": "1.2.0.json", "1.10.0": "1.10.0.json" });
    expect(diskFiles.readReleases?.(`${folder}/schemas`)).toEqual({});
  });

  it("are texts, or undefined for a folder and for what does not exist", () => {
    expect([diskFiles.read(`${folder}/schemas`), diskFiles.read(`${folder}/none.yaml`)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(diskFiles.read(write("x.yaml", "a: ä\n"))).toBe("a: ä\n");
  });

  it("that cannot be parsed are named in the message, with the kind of file", () => {
    const file = write("broken.yaml", "a: [1\n");
    expect(() => readYaml(file, "The guide")).toThrow(UsageError);
    expect(() => readYaml(file, "The guide")).toThrow(/^The guide .*broken\.yaml cannot be read: /);
    expect(() => readYaml(`${folder}/none.yaml`, "The guide")).toThrow(/^The guide .*none\.yaml cannot be read: /);
    expect(readYaml(write("fine.yaml", "a: [1]\n"), "The guide")).toEqual({ a: [1] });
  });

  it("of Redocly's configuration too", async () => {
    const file = write("redocly.yaml", "telemetry: [off\n");
    expect(() => readRedoclyConfig({}, file)).toThrow(/^The configuration .*redocly\.yaml cannot be read: /);
    const config = await readRedoclyConfig({}, write("redocly.yaml", "rules: { info-license: warn }\n"));
    expect(config.forAlias(undefined).rules.oas3_1).toMatchObject({ "info-license": "warn" });
  });
});

it("a location follows references to other files and within a file only if it is linked", () => {
  const sources = memorySources({
    "openapi.yaml": { item: { $ref: "schemas/pot.yaml#/Pot" }, whole: { $ref: "schemas/lid.yaml" } },
    "schemas/pot.yaml": { Pot: { properties: { lid: { $ref: "lid.yaml#/properties" }, own: { $ref: "#/Pot" } } } },
    "schemas/lid.yaml": { properties: { size: 1 } },
  });
  const root = sources.linkedLocation(sources.rootFile);
  const placeAt = (...keys: string[]) => {
    const { file, pointer, name } = root.at(...keys).target;
    return `${file}${pointer} ${name}`;
  };
  expect(placeAt("item", "properties", "lid", "size")).toBe("/contract/schemas/lid.yaml#/properties/size size");
  expect(placeAt("item", "properties", "own")).toBe("/contract/schemas/pot.yaml#/Pot Pot");
  expect(placeAt("whole")).toBe("/contract/schemas/lid.yaml#/ lid");
  expect(sources.location(sources.rootFile).at("item", "properties").exists).toBe(false);
});
