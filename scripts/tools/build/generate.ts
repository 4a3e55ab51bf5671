import { rmSync } from "node:fs";
import { join } from "node:path";
import { generateClient } from "../../client/generate/index.ts";
import { type Edition, editions, generatedFolder } from "../../contract/base/index.ts";
import type { Bundle } from "../../contract/bundle/index.ts";
import { type Registers, readContract } from "../../contract/model/index.ts";
import { readStatementSources, Sources } from "../../contract/sources/index.ts";
import { controlTypes } from "../../mock/make-plan/index.ts";
import { provenanceReport } from "../reports/index.ts";
import { type Files, findStaleFiles, updateFolder } from "./files.ts";

/**
 * Both editions; the client and the report on provenance, from the edition `test`; and the types of the mock's control API. The paths are
 * below `generated/`.
 */
export async function generate(bundles: Record<Edition, Bundle>, registers: Registers): Promise<Files> {
  const { document } = bundles.test;
  const client = await generateClient(document, registers);
  const files = [
    ...editions.flatMap((edition) => [
      [`${edition}/openapi.yaml`, bundles[edition].yaml],
      [`${edition}/openapi.json`, bundles[edition].json],
      [`${edition}/openapi-3.0.json`, bundles[edition].json30],
    ]),
    ...Object.entries(client).map(([path, text]) => [`client/${path}`, text]),
    ["control/types.ts", await controlTypes(new Sources())],
    ["provenance.md", provenanceReport(readContract(document, registers), readStatementSources())],
  ];
  return Object.fromEntries(files);
}

export function writeGenerated(generated: Files): void {
  const stalePaths = findStale(generated);
  const changedFiles = stalePaths.flatMap((path) =>
    generated[path] === undefined ? [] : [[path, generated[path]] as const],
  );
  updateFolder(generatedFolder, Object.fromEntries(changedFiles), new Map());
  for (const path of stalePaths) if (generated[path] === undefined) rmSync(join(generatedFolder, path));
}

export function findStale(generated: Files): string[] {
  const folders = new Set(Object.keys(generated).map((path) => path.split("/")[0]));
  // Other folders below `generated/` are not committed; its files breaks.json and proof.md are not made by the build.
  return findStaleFiles(generatedFolder, generated, (path) => folders.has(path.split("/")[0]));
}
