/** What is generated for each edition, as texts. */

import type { Bundle } from "../bundle/index.ts";
import { generateClient, generateValidators } from "../client/generate.ts";
import { type Edition, editions, type Registers, readContract } from "../contract/index.ts";
import { compareEditions, provenanceReport } from "../reports/index.ts";
import type { Files } from "./files.ts";

/** What is generated and not committed, by its path below `generated/<edition>/`. */
export const uncommittedFiles = ["client/validators.js"];

/**
 * The files of `generated/<edition>/` for both editions: the bundle in YAML and JSON, the report on provenance, and the
 * client; for `test` also what it holds beyond `latest`.
 *
 * @param options.uncommitted whether the files that are not committed are made as well.
 */
export async function generateEditions(
  bundles: Record<Edition, Bundle>,
  registers: Registers,
  options: { uncommitted: boolean } = { uncommitted: false },
): Promise<Record<Edition, Files>> {
  const entries: [Edition, Files][] = [];
  for (const edition of editions) {
    const files = await generateEdition(bundles[edition], edition, registers);
    const validators = options.uncommitted
      ? { "client/validators.js": generateValidators(bundles[edition].document) }
      : {};
    entries.push([edition, { ...files, ...validators }]);
  }
  const { latest = {}, test = {} } = Object.fromEntries(entries);
  const comparison = compareEditions(readContract(bundles.latest.document), readContract(bundles.test.document));
  return { latest, test: { ...test, "beyond-latest.md": comparison } };
}

async function generateEdition(
  { document, yaml, json }: Bundle,
  edition: Edition,
  { questions }: Registers,
): Promise<Files> {
  const client = await generateClient(document, edition, questions);
  return {
    "openapi.yaml": yaml,
    "openapi.json": json,
    "provenance.md": provenanceReport(readContract(document), edition, questions),
    ...Object.fromEntries(Object.entries(client).map(([path, text]) => [`client/${path}`, text])),
  };
}
