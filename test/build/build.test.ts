/** The build: reproducible to the byte, and never half-written. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundleContract, bundleEditions } from "../../scripts/build/bundle.ts";
import { generateEditions } from "../../scripts/build/editions.ts";
import { findStaleFiles, replaceFolder } from "../../scripts/build/files.ts";
import { readOpenQuestions } from "../../scripts/contract/open-questions.ts";
import { editionFolder, editions, projectRoot } from "../../scripts/contract/project.ts";
import { UsageError } from "../../scripts/contract/usage-error.ts";
import { readBundle } from "../../scripts/mock/mock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "build-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(editions)("edition %s", (edition) => {
  const generate = async () => (await generateEditions(await bundleEditions(), readOpenQuestions()))[edition];

  it("is generated the same twice, and is what is committed", async () => {
    const files = await generate();
    expect(await generate()).toEqual(files);
    expect(findStaleFiles(editionFolder(edition), files)).toEqual([]);
  });

  it("holds no path of this machine and no host that is not reserved", async () => {
    for (const text of Object.values(await generate())) {
      expect(text).not.toContain(projectRoot);
      const hosts = [...text.matchAll(/https?:\/\/(\w[\w.-]*)/g)].map(([, host]) => host ?? "");
      expect(hosts.filter((host) => !/(^|\.)(example|json-schema\.org|localhost)$/.test(host))).toEqual([]);
    }
  });
});

describe("a generated folder", () => {
  it("is replaced as a whole", () => {
    const target = join(folder, "target");
    replaceFolder(target, { "old.txt": "old", "deep/kept.txt": "1" });
    replaceFolder(target, { "new.txt": "new", "deep/kept.txt": "2" });
    expect(readdirSync(target, { recursive: true }).sort()).toEqual(["deep", "deep/kept.txt", "new.txt"]);
    expect(readFileSync(join(target, "deep/kept.txt"), "utf8")).toBe("2");
    expect(readdirSync(folder)).toEqual(["target"]);
  });

  it("stays as it was when writing fails", () => {
    const target = join(folder, "target");
    replaceFolder(target, { "file.txt": "first" });
    expect(() => replaceFolder(target, { "file.txt": "second", "file.txt/impossible": "x" })).toThrow();
    expect(readFileSync(join(target, "file.txt"), "utf8")).toBe("first");
    expect(readdirSync(folder)).toEqual(["target"]);
  });

  it("is stale when a file is changed, missing or left over", () => {
    const files = { "same.txt": "1", "changed.txt": "1", "missing.txt": "1" };
    writeFileSync(join(folder, "same.txt"), "1");
    writeFileSync(join(folder, "changed.txt"), "2");
    mkdirSync(join(folder, "deep"));
    writeFileSync(join(folder, "deep", "left-over.txt"), "1");
    expect(findStaleFiles(folder, files)).toEqual(["changed.txt", "deep/left-over.txt", "missing.txt"]);
    expect(findStaleFiles(join(folder, "nowhere"), { "a.txt": "" })).toEqual(["a.txt"]);
  });
});

describe("bad input", () => {
  const copyContract = () => {
    cpSync(`${projectRoot}/openapi`, join(folder, "openapi"), { recursive: true });
    return join(folder, "openapi", "openapi.yaml");
  };

  it("a broken YAML file is named", async () => {
    const root = copyContract();
    writeFileSync(join(folder, "openapi", "errors", "P411.yaml"), "title: [unclosed\nx: 1\n");
    await expect(bundleContract("latest", root)).rejects.toThrow(UsageError);
    await expect(bundleContract("latest", root)).rejects.toThrow(/P411\.yaml/);
  });

  it("a reference to nothing is named", async () => {
    const root = copyContract();
    rmSync(join(folder, "openapi", "errors", "P411.yaml"));
    await expect(bundleContract("latest", root)).rejects.toThrow(UsageError);
    await expect(bundleContract("latest", root)).rejects.toThrow(/P411\.yaml/);
  });

  it("a missing contract is named", async () => {
    await expect(bundleContract("latest", join(folder, "nowhere.yaml"))).rejects.toThrow(UsageError);
  });

  it("a missing bundle says what to do", () => {
    expect(() => readBundle("latest", join(folder, "generated"))).toThrow(UsageError);
    expect(() => readBundle("latest", join(folder, "generated"))).toThrow(/npm run build/);
  });
});
