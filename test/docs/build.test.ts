/** The build of the site when something is wrong. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OpenApiDocument } from "../../scripts/contract/document.ts";
import { UsageError } from "../../scripts/contract/usage-error.ts";
import { buildDocs } from "../../scripts/docs/build.ts";
import { smallDocument } from "./small-document.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "docs-build-test-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("what was built before stays when Redocly fails, and nothing half-written is left", async () => {
  const outputFolder = join(folder, "docs");
  mkdirSync(outputFolder);
  writeFileSync(join(outputFolder, "index.html"), "before");
  const broken = { ...smallDocument(), openapi: "none" } as OpenApiDocument;
  const building = buildDocs({ outputFolder, documents: { latest: smallDocument(), test: broken } });
  await expect(building).rejects.toThrow(UsageError);
  await expect(building).rejects.toThrow("The page of Pots (test) could not be made");
  expect(readFileSync(join(outputFolder, "index.html"), "utf8")).toBe("before");
  expect(readdirSync(folder)).toEqual(["docs"]);
});
