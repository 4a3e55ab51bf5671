import { expect, it } from "vitest";
import { staticImportsOf } from "../../../scripts/tools/bench/programs.ts";
import {
  makeSamples,
  pathnameOf,
  typicalOperationCount,
  typicalOperations,
} from "../../../scripts/tools/bench/samples.ts";
import { contractOf } from "../../support/contract.ts";

const contract = await contractOf("latest");

it("samples have a complete path and a documented response", () => {
  for (const sample of makeSamples(contract)) {
    expect(pathnameOf(sample.operation, sample.options.path)).toMatch(/^\/v1\/[^{}]+$/);
    expect(sample.response).toBeDefined();
  }
  expect(typicalOperations(contract)).toHaveLength(typicalOperationCount);
});

it("counts static imports of a bundle as loaded immediately, also through other files", () => {
  const staticImport = (path: string) => ({ path, kind: "import-statement" });
  const onDemand = (path: string) => ({ path, kind: "dynamic-import" });
  const outputs = {
    "one.mjs": { imports: [staticImport("a.mjs"), onDemand("d.mjs"), staticImport("node:fs")] },
    "a.mjs": { imports: [staticImport("b.mjs")] },
    "b.mjs": { imports: [] },
    "d.mjs": { imports: [staticImport("b.mjs"), staticImport("e.mjs")] },
    "e.mjs": { imports: [] },
  };
  expect([...staticImportsOf("one.mjs", outputs)]).toEqual(["one.mjs", "a.mjs", "b.mjs"]);
});
