/** The first page of the site: which editions there are, and what each contains. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Handlebars from "handlebars";
import {
  type Edition,
  editions,
  type OpenApiDocument,
  type OpenQuestions,
  type Provenance,
  provenances,
  readContract,
} from "../contract/index.ts";
import { shortProvenanceWords } from "./markdown.ts";
import { usedQuestions } from "./marked-parts.ts";

const editionWords: Record<Edition, string> = {
  latest:
    "What the specification states, what the public reference of the service shows, and what programs that call the service show. Nothing proposed, down to single fields, codes and values.",
  test: "Everything, including what is proposed. Confirm what is proposed before you rely on it.",
};

/** The HTML of the index. Every number is counted in the bundles. */
export function renderIndex(documents: Record<Edition, OpenApiDocument>, questions: OpenQuestions): string {
  const template = readFileSync(join(import.meta.dirname, "index.hbs"), "utf8");
  const { title, version, summary } = documents.latest.info;
  return Handlebars.compile(template, { strict: true })({
    title: title.replace(/ \(latest\)$/, ""),
    version,
    summary: summary ?? "",
    columns: ["All", ...Object.values(shortProvenanceWords)],
    editions: editions.map((edition) => {
      const { operations, webhooks, errorCodes } = readContract(documents[edition]);
      return {
        edition,
        words: editionWords[edition],
        rows: [
          { words: "Operations", counts: countsOf(operations) },
          { words: "Webhooks", counts: countsOf(webhooks) },
          { words: "P-codes", counts: countsOf(errorCodes) },
        ],
        questions: Object.keys(usedQuestions(documents[edition], questions)).length,
      };
    }),
  });
}

/** How many there are, in all and by provenance. */
function countsOf(entries: { provenance: Provenance | undefined }[]): number[] {
  const counts = provenances.map((wanted) => {
    return entries.filter(({ provenance = "proposed" }) => provenance === wanted).length;
  });
  return [entries.length, ...counts];
}
