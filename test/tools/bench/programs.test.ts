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
  const statically = (path: string) => ({ path, kind: "import-statement" });
  const onDemand = (path: string) => ({ path, kind: "dynamic-import" });
  const outputs = {
    "one.mjs": { imports: [statically("a.mjs"), onDemand("d.mjs"), statically("node:fs")] },
    "a.mjs": { imports: [statically("b.mjs")] },
    "b.mjs": { imports: [] },
    "d.mjs": { imports: [statically("b.mjs"), statically("e.mjs")] },
    "e.mjs": { imports: [] },
  };
  expect([...staticImportsOf("one.mjs", outputs)]).toEqual(["one.mjs", "a.mjs", "b.mjs"]);
});
