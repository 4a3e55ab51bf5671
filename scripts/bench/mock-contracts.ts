/** Contracts with many times the operations: for Prism as a document, for the mock as a plan. */
import { cpSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenApiDocument } from "../contract/index.ts";

/**
 * Writes a document with further copies of each path.
 *
 * @param times how many times the operations it has.
 * @returns the absolute path of the document.
 */
export function writeLargeDocument(folder: string, document: OpenApiDocument, times: number): string {
  const file = join(folder, `openapi-${times}.json`);
  const paths = Object.entries(document.paths ?? {});
  const copies = Array.from({ length: times - 1 }, (_, copy) =>
    paths.map(([path, item]) => [`/copy-${copy}${path}`, withOtherIds(item, `Copy${copy}`)]),
  );
  const all = Object.fromEntries([...copies.flat(), ...paths]) as object;
  writeFileSync(file, JSON.stringify({ ...document, paths: all }));
  return file;
}

function withOtherIds(item: object, suffix: string): object {
  const members = Object.entries(item).map(([name, value]: [string, unknown]) => [
    name,
    isOperation(value) ? { ...value, operationId: `${value.operationId}${suffix}` } : value,
  ]);
  return Object.fromEntries(members) as object;
}

function isOperation(value: unknown): value is { operationId: string } {
  return typeof value === "object" && value !== null && "operationId" in value;
}

/**
 * Copies the mock, with a plan of the edition `test` that has further copies of each operation.
 *
 * @param mockFolder absolute path of the mock as it is published.
 * @param times how many times the operations it has.
 * @returns the absolute path of its program.
 */
export function writeLargeMock(folder: string, mockFolder: string, times: number): string {
  const copy = join(folder, `mock-${times}`);
  cpSync(mockFolder, copy, { recursive: true });
  const plans = join(copy, "plans");
  renameSync(join(plans, "test.cjs"), join(plans, "original.cjs"));
  writeFileSync(
    join(plans, "test.cjs"),
    `const { plan } = require("./original.cjs");
const copies = Array.from({ length: ${times - 1} }, (_, copy) =>
  plan.operations.map((operation) => ({
    ...operation,
    path: \`/copy-\${copy}\${operation.path}\`,
    operationId: \`\${operation.operationId}Copy\${copy}\`,
  })),
);
exports.plan = { ...plan, operations: [...copies.flat(), ...plan.operations] };
`,
  );
  return join(copy, "bin.cjs");
}
