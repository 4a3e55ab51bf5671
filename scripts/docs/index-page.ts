/** The first page of the site: which editions there are, and what each holds. */
import { type Contract, readContract } from "../contract/contract.ts";
import type { OpenApiDocument } from "../contract/document.ts";
import type { OpenQuestions } from "../contract/open-questions.ts";
import { type Edition, editions } from "../contract/project.ts";
import { usedQuestions } from "./links.ts";
import { shortProvenanceWords } from "./markdown.ts";
import { addPolicy } from "./seal.ts";

const editionWords: Record<Edition, string> = {
  latest: "What the specification states, and what the public reference of the service shows.",
  test: "Everything, proposed operations and webhooks included. What is proposed is to be confirmed before anyone relies on it.",
};

/** The HTML of the index; every number is counted in the bundles. */
export function renderIndex(documents: Record<Edition, OpenApiDocument>, questions: OpenQuestions): string {
  const { title, version, summary } = documents.latest.info;
  const name = title.replace(/ \(latest\)$/, "");
  return addPolicy(`<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <!--content-security-policy-->
  <title>${escapeHtml(name)}</title>
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="referrer" content="no-referrer">
  <meta name="color-scheme" content="light dark">
  <link rel="icon" href="data:,">
  <style>${style}</style>
</head>
<body>
  <main>
    <h1>${escapeHtml(name)} <small>${escapeHtml(version)}</small></h1>
    <p>${escapeHtml(String(summary ?? ""))}</p>
    <div class="editions">
${editions.map((edition) => editionCard(edition, documents[edition], questions)).join("\n")}
    </div>
    <p class="legend"><b>Stated</b>: the interface specification of the service states it. <b>Seen</b>: its public
    reference shows it. <b>Proposed</b>: neither does; it was designed here and is to be confirmed.</p>
  </main>
</body>
</html>
`);
}

function editionCard(edition: Edition, document: OpenApiDocument, questions: OpenQuestions): string {
  const contract = readContract(document);
  const rows = [
    countRow("Operations", contract.operations),
    countRow("Webhooks", contract.webhooks),
    countRow("P-codes", contract.errorCodes),
  ];
  const columns = Object.values(shortProvenanceWords).map((words) => `<th scope="col">${words}</th>`);
  return `      <section>
        <h2><a href="${edition}/index.html">${edition}</a></h2>
        <p>${editionWords[edition]}</p>
        <table>
          <tr><td></td><th scope="col">All</th>${columns.join("")}</tr>
          ${rows.join("\n          ")}
        </table>
        <p>${usedQuestions(document, questions).length} open questions.</p>
        <p class="actions"><a class="read" href="${edition}/index.html">Read ${edition}</a>
          <a href="${edition}/openapi.yaml" download="openapi-${edition}.yaml">openapi.yaml</a>
          <a href="${edition}/openapi.json" download="openapi-${edition}.json">openapi.json</a></p>
      </section>`;
}

function countRow(words: string, entries: Contract["operations" | "webhooks" | "errorCodes"]): string {
  const counts = Object.keys(shortProvenanceWords).map(
    (provenance) => [...entries].filter((entry) => entry.provenance === provenance).length,
  );
  const cells = [entries.length, ...counts].map((count) => `<td>${count}</td>`);
  return `<tr><th scope="row">${words}</th>${cells.join("")}</tr>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

const style = `
    :root { color-scheme: light dark; --line: #d9dce3; --soft: #5b6472; --back: #ffffff; --text: #1c1d24; --link: #1f5fbf; }
    @media (prefers-color-scheme: dark) {
      :root { --line: #3a3d47; --soft: #a6adba; --back: #17181c; --text: #eceef2; --link: #8ab8ff; }
    }
    body { margin: 0; background: var(--back); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
    main { max-width: 60rem; margin: 0 auto; padding: 3rem 1.25rem; }
    h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 0.5rem; }
    h1 small { color: var(--soft); font-weight: normal; font-size: 1rem; }
    h2 { margin: 0; font-size: 1.35rem; }
    a { color: var(--link); }
    h2 a { text-decoration: none; }
    .editions { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 1.25rem; margin: 2rem 0; }
    section { display: flex; flex-direction: column; border: 1px solid var(--line); border-radius: 0.75rem; padding: 1.25rem; }
    section > p:first-of-type { flex: 1; color: var(--soft); }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th, td { padding: 0.3rem 0.5rem; border-bottom: 1px solid var(--line); text-align: right; font-weight: normal; }
    th[scope="row"] { text-align: left; padding-left: 0; }
    th[scope="col"] { color: var(--soft); font-size: 0.875rem; }
    .actions { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin: 0; }
    .read { background: var(--link); color: var(--back); padding: 0.4rem 0.9rem; border-radius: 0.5rem; text-decoration: none; }
    .legend { color: var(--soft); font-size: 0.875rem; }
  `;
