/** Everything that is generated and committed for an edition. */
import { generateClient } from "../client/generate.ts";
import { readContract } from "../contract/contract.ts";
import type { OpenApiDocument } from "../contract/document.ts";
import type { OpenQuestions } from "../contract/open-questions.ts";
import type { Edition } from "../contract/project.ts";
import { toJson, toYaml } from "./bundle.ts";
import { compareEditions } from "./compare-editions.ts";
import type { Files } from "./files.ts";
import { provenanceReport } from "./provenance.ts";

/**
 * The files of `generated/<edition>/` for both editions: the bundle in YAML and JSON, the report on provenance, and the
 * client; for `test` also what it holds beyond `latest`.
 */
export async function generateEditions(
  documents: Record<Edition, OpenApiDocument>,
  questions: OpenQuestions,
): Promise<Record<Edition, Files>> {
  const latest = await generateEdition(documents.latest, "latest", questions);
  const test = await generateEdition(documents.test, "test", questions);
  return { latest, test: { ...test, "beyond-latest.md": compareEditions(documents.latest, documents.test) } };
}

async function generateEdition(document: OpenApiDocument, edition: Edition, questions: OpenQuestions): Promise<Files> {
  const client = await generateClient(document, edition, questions);
  return {
    "openapi.yaml": toYaml(document),
    "openapi.json": toJson(document),
    "provenance.md": provenanceReport(readContract(document), edition, questions),
    ...Object.fromEntries(Object.entries(client).map(([path, text]) => [`client/${path}`, text])),
  };
}
