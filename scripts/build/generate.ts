/** What is generated and committed. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bundle } from "../bundle/index.ts";
import { generateClient } from "../client/generate.ts";
import { type Edition, editions, generatedFolder, type Registers, readContract } from "../contract/index.ts";
import { provenanceReport } from "../reports/index.ts";
import { type Files, findStaleFiles, replaceFolder, updateFolder } from "./files.ts";

/**
 * Generates everything that is committed: the bundles of both editions, the client and the report on provenance. The latter two
 * are made of the edition that has everything.
 *
 * @returns the texts by their paths below `generated/`.
 */
export async function generate(bundles: Record<Edition, Bundle>, registers: Registers): Promise<Files> {
  const { document } = bundles.test;
  const client = await generateClient(document, registers);
  const files = [
    ...editions.flatMap((edition) => [
      [`${edition}/openapi.yaml`, bundles[edition].yaml],
      [`${edition}/openapi.json`, bundles[edition].json],
    ]),
    ...Object.entries(client).map(([path, text]) => [`client/${path}`, text]),
    ["provenance.md", provenanceReport(readContract(document, registers), registers.questions)],
  ];
  return Object.fromEntries(files);
}

/** Puts what was generated in place, each folder as a whole. */
export function writeGenerated(generated: Files): void {
  for (const [folder, files] of byFolder(generated)) {
    if (folder === "") updateFolder(generatedFolder, files, new Map());
    else replaceFolder(join(generatedFolder, folder), files);
  }
}

/** Paths below `generated/` of what is not as it was generated: changed, missing or left over. */
export function findStale(generated: Files): string[] {
  return [...byFolder(generated)]
    .flatMap(([folder, files]) => {
      // Beside the files there are folders that are not committed.
      if (folder === "") return Object.keys(files).filter((path) => readIfThere(path) !== files[path]);
      return findStaleFiles(join(generatedFolder, folder), files).map((path) => `${folder}/${path}`);
    })
    .sort();
}

function readIfThere(path: string): string | undefined {
  const file = join(generatedFolder, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The files of each folder; those in none are those of the folder "". */
function byFolder(files: Files): Map<string, Files> {
  const folders = new Map<string, Files>();
  for (const [path, text] of Object.entries(files)) {
    const [, folder = "", name = path] = /^([^/]+)\/(.+)$/.exec(path) ?? [];
    folders.set(folder, { ...folders.get(folder), [name]: text });
  }
  return folders;
}
