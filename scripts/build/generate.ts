/** What is generated for each edition, as texts. */

import type { Bundle } from "../bundle/index.ts";
import { generateClient } from "../client/generate.ts";
import { type Edition, editions, type Registers, readContract } from "../contract/index.ts";
import { compareEditions, provenanceReport } from "../reports/index.ts";
import type { Files } from "./files.ts";

/**
 * The files of `generated/<edition>/` for both editions: the bundle in YAML and JSON, the report on provenance, and the
 * client; for `test` also what it holds beyond `latest`.
 */
export async function generateEditions(
  bundles: Record<Edition, Bundle>,
  registers: Registers,
): Promise<Record<Edition, Files>> {
  const entries: [Edition, Files][] = [];
  for (const edition of editions) {
    entries.push([edition, await generateEdition(bundles[edition], edition, registers)]);
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
