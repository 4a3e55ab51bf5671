/** What changed, and where everything comes from. */
import { provenances } from "../../contract/index.ts";
import { type Counts, countLevels, levels } from "../../reports/index.ts";
import { ProvenanceClasses, provenanceWords } from "../components/marks.tsx";
import { useHrefs } from "../components/page-context.ts";
import { Prose } from "../components/prose.tsx";
import { list, Table } from "../components/table.tsx";
import type { SiteContent } from "../site/site.ts";
import type { SitePage } from "./page.ts";

export function changelogPage({ changelog }: SiteContent): SitePage {
  return {
    ref: { kind: "changelog" },
    title: "Changelog",
    description: "What changed in the contract, the client, the mock and these pages, by version.",
    section: "About",
    synonyms: ["release notes", "what is new", "versions", "breaking changes"],
    // The first heading of the document is the title of the page.
    content: () => ({ head: <Prose text={changelog.replace(/^# .*\n/, "").trim()} /> }),
  };
}

export function provenancePage({ contract }: SiteContent): SitePage {
  const byLevel = countLevels(contract);
  return {
    ref: { kind: "provenance" },
    title: "Provenance",
    description: "How much of the contract is stated, seen, observed or proposed.",
    section: "About",
    synonyms: ["certain", "confirmed", "source", "trust"],
    content: () => ({
      head: <p class="lead">Where each statement comes from. Every part counts wherever it is used.</p>,
      sections: [
        ["classes", "The four classes", <ProvenanceClasses key="classes" />],
        [
          "levels",
          "By level",
          <Table
            key="levels"
            class="numbers"
            rows={levels.map((level) => ({ level, counts: byLevel[level] }))}
            columns={{ Level: ({ level }) => level, ...countColumns }}
          />,
        ],
      ],
    }),
  };
}

/** A column for each class of provenance. */
const countColumns = Object.fromEntries(
  provenances.map((name) => [provenanceWords[name].short, ({ counts }: { counts: Counts }) => counts[name]]),
);

/** Shown at any address that does not exist. */
export function notFoundPage(): SitePage {
  return {
    ref: { kind: "not-found" },
    title: "Page not found",
    description: "There is no page at this address.",
    section: "About",
    content: () => ({ head: <NotFound /> }),
  };
}

const beginnings = [
  ["home", "The first page"],
  ["operations", "All operations"],
  ["errors", "All P-codes"],
  ["guides", "All guides"],
] as const;

function NotFound() {
  const hrefs = useHrefs();
  return (
    <>
      <p class="lead">There is no page at this address. Search for it, or begin at one of these:</p>
      {list(beginnings, ([kind, words]) => (
        <a href={hrefs.to({ kind })}>{words}</a>
      ))}
    </>
  );
}
