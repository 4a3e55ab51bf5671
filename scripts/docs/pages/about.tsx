/** What changed, and where everything comes from. */
import { type Operation, provenances, type Webhook } from "../../contract/index.ts";
import { type Counts, countLevels, countProvenance, levels } from "../../reports/index.ts";
import { Link } from "../components/link.tsx";
import { ProvenanceMark, provenanceWords } from "../components/marks.tsx";
import { useHrefs } from "../components/page-context.ts";
import { Prose } from "../components/prose.tsx";
import { ProvenanceClasses } from "../components/provenance-classes.tsx";
import { Table } from "../components/table.tsx";
import type { SiteContent } from "../site/site.ts";
import type { SitePage } from "./page.ts";

/** A Markdown document of the repository without its first heading. */
function bodyOf(markdown: string): string {
  return markdown.replace(/^# .*\n/, "").trim();
}

export function changelogPage({ changelog }: SiteContent): SitePage {
  return {
    ref: { kind: "changelog" },
    title: "Changelog",
    description: "What changed in the contract, the client, the mock and these pages, by version.",
    section: "About",
    synonyms: ["release notes", "what is new", "versions", "breaking changes"],
    content: () => <Prose text={bodyOf(changelog)} />,
  };
}

export function provenancePage({ contract }: SiteContent): SitePage {
  const counts = countLevels(contract);
  return {
    ref: { kind: "provenance" },
    title: "Provenance",
    description: "How much of the contract is stated, seen, observed or proposed, by operation and webhook.",
    section: "About",
    synonyms: ["certain", "confirmed", "source", "trust"],
    headings: [
      { id: "classes", title: "The four classes" },
      { id: "levels", title: "By level" },
      { id: "subjects", title: "By operation and webhook" },
    ],
    content: () => (
      <>
        <p class="lead">Where each statement comes from. Every part counts wherever it is used.</p>
        <section id="classes">
          <h2>The four classes</h2>
          <ProvenanceClasses />
        </section>
        <section id="levels">
          <h2>By level</h2>
          <Table class="numbers" head={["Level", ...countHeads]}>
            {levels.map((level) => (
              <tr key={level}>
                <th scope="row">{level}</th>
                <CountCells counts={counts[level]} />
              </tr>
            ))}
          </Table>
        </section>
        <section id="subjects">
          <h2>By operation and webhook</h2>
          <p>How many of the parameters, fields, codes, values, examples and paths of each come from where.</p>
          <Table class="numbers" head={["Operation or webhook", "Itself", ...countHeads, "Questions"]}>
            {[...contract.operations, ...contract.webhooks].map((subject) => (
              <SubjectRow key={subject.label} subject={subject} />
            ))}
          </Table>
        </section>
      </>
    ),
  };
}

const countHeads = provenances.map((provenance) => provenanceWords[provenance].short);

function CountCells({ counts }: { counts: Counts }) {
  return provenances.map((provenance) => <td key={provenance}>{counts[provenance]}</td>);
}

function SubjectRow({ subject }: { subject: Operation | Webhook }) {
  const { counts, openQuestions } = countProvenance(subject);
  return (
    <tr>
      <th scope="row">
        <Link to={subject.kind} name={subject.name} />
        {subject.kind === "webhook" && " (webhook)"}
      </th>
      <td>
        <ProvenanceMark provenance={subject.provenance ?? "proposed"} />
      </td>
      <CountCells counts={counts} />
      <td>{openQuestions.length}</td>
    </tr>
  );
}

/** Shown at any address that does not exist. */
export function notFoundPage(): SitePage {
  return {
    ref: { kind: "not-found" },
    title: "Page not found",
    description: "There is no page at this address.",
    section: "About",
    content: () => <NotFound />,
  };
}

function NotFound() {
  const hrefs = useHrefs();
  return (
    <>
      <p class="lead">There is no page at this address. Search for it, or begin at one of these:</p>
      <ul>
        <li>
          <a href={hrefs.to({ kind: "home" })}>The first page</a>
        </li>
        <li>
          <a href={hrefs.to({ kind: "operations" })}>All operations</a>
        </li>
        <li>
          <a href={hrefs.to({ kind: "errors" })}>All P-codes</a>
        </li>
        <li>
          <a href={hrefs.to({ kind: "guides" })}>All guides</a>
        </li>
      </ul>
    </>
  );
}
