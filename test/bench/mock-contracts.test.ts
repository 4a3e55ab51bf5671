import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeLargeDocument, writeLargeMock } from "../../scripts/bench/mock-contracts.ts";
import type { OpenApiDocument } from "../../scripts/contract/index.ts";
import { readContract } from "../../scripts/contract/index.ts";
import { readBundle } from "../../scripts/plan/index.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mock-contracts-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("writes a document with copies of every operation", () => {
  const document = readBundle("test");
  const file = writeLargeDocument(folder, document, 3);
  const large = readContract(JSON.parse(readFileSync(file, "utf8")) as OpenApiDocument).operations;
  const { operations } = readContract(document);
  expect(large.length).toBe(3 * operations.length);
  expect(new Set(large.map(({ operationId }) => operationId)).size).toBe(large.length);
  expect(large.slice(-operations.length).map(({ path }) => path)).toEqual(operations.map(({ path }) => path));
});

it("writes a mock whose plan has copies of every operation", () => {
  const original = join(folder, "mock");
  mkdirSync(join(original, "plans"), { recursive: true });
  writeFileSync(join(original, "bin.cjs"), "");
  const text =
    'exports.plan = { edition: "test", operations: [{ operationId: "read", path: "/read", requires: [] }] };';
  writeFileSync(join(original, "plans/test.cjs"), text);
  const program = writeLargeMock(folder, original, 3);
  expect(readFileSync(program, "utf8")).toBe("");
  const load = createRequire(program);
  expect(load("./plans/test.cjs")).toEqual({
    plan: {
      edition: "test",
      operations: [
        { operationId: "readCopy0", path: "/copy-0/read", requires: [] },
        { operationId: "readCopy1", path: "/copy-1/read", requires: [] },
        { operationId: "read", path: "/read", requires: [] },
      ],
    },
  });
});
