import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findStaleFiles, replaceFolder } from "../../../scripts/tools/build/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("a folder is replaced as a whole", () => {
  const target = join(folder, "target");
  replaceFolder(target, { "old.txt": "old", "deep/kept.txt": "1" });
  replaceFolder(target, { "new.txt": "new", "deep/kept.txt": "2" });
  expect(readdirSync(target, { recursive: true }).sort()).toEqual(["deep", "deep/kept.txt", "new.txt"]);
  expect(readFileSync(join(target, "deep/kept.txt"), "utf8")).toBe("2");
  expect(readdirSync(folder)).toEqual(["target"]);
  expect(statSync(target).mode & 0o777).toBe(0o755);
});

it("a folder stays unchanged when writing fails", () => {
  const target = join(folder, "target");
  replaceFolder(target, { "file.txt": "first" });
  expect(() => replaceFolder(target, { "file.txt": "second", "file.txt/impossible": "x" })).toThrow();
  expect(readFileSync(join(target, "file.txt"), "utf8")).toBe("first");
  expect(readdirSync(folder)).toEqual(["target"]);
});

it("a file is stale when it is changed, missing or extra", () => {
  const files = { "same.txt": "1", "changed.txt": "1", "missing.txt": "1" };
  writeFileSync(join(folder, "same.txt"), "1");
  writeFileSync(join(folder, "changed.txt"), "2");
  mkdirSync(join(folder, "deep"));
  writeFileSync(join(folder, "deep", "left-over.txt"), "1");
  expect(findStaleFiles(folder, files)).toEqual(["changed.txt", "deep/left-over.txt", "missing.txt"]);
  expect(findStaleFiles(join(folder, "nowhere"), { "a.txt": "" })).toEqual(["a.txt"]);
});
