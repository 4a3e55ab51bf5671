import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { filesOfBundle } from "../../scripts/bench/workshop.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bundles-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("counts as loaded at once what a bundle imports statically, through other files too", () => {
  const statically = (path: string) => ({ path, kind: "import-statement" });
  const onDemand = (path: string) => ({ path, kind: "dynamic-import" });
  const outputs = {
    "one.bundle/one.mjs": {
      imports: [statically("one.bundle/a.mjs"), onDemand("one.bundle/d.mjs"), statically("node:fs")],
    },
    "one.bundle/a.mjs": { imports: [statically("one.bundle/b.mjs")] },
    "one.bundle/b.mjs": { imports: [] },
    "one.bundle/d.mjs": { imports: [statically("one.bundle/b.mjs"), statically("one.bundle/e.mjs")] },
    "one.bundle/e.mjs": { imports: [] },
  };
  mkdirSync(join(folder, "one.bundle"));
  writeFileSync(join(folder, "one.bundle/metafile.json"), JSON.stringify({ outputs }));
  expect(filesOfBundle(join(folder, "one.bundle/one.mjs"))).toEqual({
    atOnce: ["one.bundle/one.mjs", "one.bundle/a.mjs", "one.bundle/b.mjs"],
    onDemand: ["one.bundle/d.mjs", "one.bundle/e.mjs"],
  });
});
