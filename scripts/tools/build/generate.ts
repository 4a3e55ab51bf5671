import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Edition, editions, generatedFolder, UsageError } from "../../base/index.ts";
import { generateClient, Refusal } from "../../client/generate/index.ts";
import { type Bundle, type BundledContract, sourceFinder } from "../../contract/bundle/index.ts";
import { readContract } from "../../contract/model/index.ts";
import { lineOf, readStatementSources, type Sources } from "../../contract/sources/index.ts";
import { type Finding, formatFindings, withRemedy } from "../../lint/index.ts";
import { controlTypes } from "../../mock/make-plan/index.ts";
import { provenanceReport } from "../reports/index.ts";
import { type Files, findStaleFiles, updateFolder } from "./files.ts";

/**
 * Both editions; the client and the report on provenance, from the edition `test`; and the types of the mock's control API. The paths are
 * below `generated/`.
 *
 * @throws {UsageError} with the line of the element for which no correct client can be generated.
 */
export async function generate(bundles: Record<Edition, Bundle>, sources: Sources): Promise<Files> {
  const { document } = bundles.test;
  const registers = sources.registers();
  const client = await generateClient(document, registers).catch((error: unknown) => {
    throw new UsageError(formatFindings([findingOf(error, bundles.test, sources)]));
  });
  const files = [
    ...editions.flatMap((edition) => [
      [`${edition}/openapi.yaml`, bundles[edition].yaml],
      [`${edition}/openapi.json`, bundles[edition].json],
      [`${edition}/openapi-3.0.json`, bundles[edition].json30],
    ]),
    ...Object.entries(client).map(([path, text]) => [`client/${path}`, text]),
    ["control/types.ts", await controlTypes(sources)],
    ["provenance.md", provenanceReport(readContract(document, registers), readStatementSources())],
  ];
  return Object.fromEntries(files);
}

/** Lint has no rule for all that the generator refuses. The generator ends at the first problem, so there is one finding at most. */
export async function clientFindings(contract: BundledContract, sources: Sources): Promise<Finding[]> {
  try {
    await generateClient(contract.document, sources.registers());
    return [];
  } catch (error) {
    return [findingOf(error, contract, sources)];
  }
}

function findingOf(error: unknown, { places }: BundledContract, sources: Sources): Finding {
  if (!(error instanceof Refusal)) throw error;
  const { location, problem, remedy } = error;
  const place = location.source === undefined ? sourceFinder(places, sources)(location.pointer) : location;
  return { ...lineOf(place), severity: "error", rule: "client", message: withRemedy(problem, remedy) };
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
