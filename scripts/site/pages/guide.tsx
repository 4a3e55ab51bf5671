import { Fragment } from "preact";
import { GuideCards } from "../components/cards.tsx";
import { plainText } from "../components/markdown.tsx";
import { usePage } from "../components/page-context.ts";
import { Prose } from "../components/prose.tsx";
import type { SitePage } from "../components/site-page.ts";
import type { Guide } from "../content/guides.ts";
import { linksTo } from "../content/links.ts";
import { slugOf } from "../content/pages.ts";
import { editionOf, type SiteContent } from "../content/site.ts";
import { mockCommandLine } from "../samples/index.ts";
import { splitByLanguage } from "../text/language-passages.ts";
import { GuideBlock } from "./guide-block.tsx";

export function guidePages({ guides }: SiteContent): SitePage[] {
  return guides.map((guide) => ({
    ref: { kind: "guide", name: guide.name },
    title: guide.title,
    description: plainText(guide.summary),
    section: "Guide",
    synonyms: guide.synonyms,
    trail: [{ ref: { kind: "guides" }, title: "Guides" }],
    content: () => ({ head: <GuideText guide={guide} />, headings: headingsOf(guide.text) }),
  }));
}

function GuideText({ guide: { name, summary, text } }: { guide: Guide }) {
  const parts = partsOf(text);
  // The program with which a guide about a task begins is shown directly under the summary.
  const firstBlock = /^\{\{(sample|receiver) /.test(parts[0] ?? "") ? parts.shift() : undefined;
  return (
    <>
      <p class="lead">{summary}</p>
      {firstBlock && <GuideBlock call={firstBlock} />}
      <NeededEdition text={text} />
      {/^```ts$/m.test(text) && !text.includes(mockCommandLine) && <HowToRun name={name} />}
      <article class="guide">
        {parts.map((part) => (
          <Fragment key={part}>
            {part.startsWith("{{") ? <GuideBlock call={part} /> : <GuideProse text={part} />}
          </Fragment>
        ))}
      </article>
    </>
  );
}

/** Where a guide has the same passage in several languages, the page's script shows only the passage in the chosen language. */
function GuideProse({ text }: { text: string }) {
  return splitByLanguage(text).map((part) => {
    if (typeof part === "string") return <Prose key={part} text={part} />;
    return (
      <div key={part[0]?.text} class="by-language">
        {part.map((passage) => (
          <div key={passage.language} data-language={passage.language}>
            <Prose text={passage.text} />
          </div>
        ))}
      </div>
    );
  });
}

function NeededEdition({ text }: { text: string }) {
  const { operations } = usePage().site.contract;
  const proposedOperations = operations.filter(
    (operation) =>
      editionOf(operation) === "test" && new RegExp(`(wallet\\.|operation:|{{sample )${operation.name}\\b`).test(text),
  );
  // A guide without calls works with both editions.
  if (!/(wallet\.|operation:)\w/.test(text)) return null;
  if (proposedOperations.length === 0) return <p>Everything on this page is in both editions.</p>;
  const names = proposedOperations.map(({ name }) => name);
  const edition =
    "[edition “test”](guide:provenance-and-editions#the-two-editions) of the contract, which is no test mode";
  return (
    <div class="note">
      <Prose text={`Only in the ${edition}: ${linksTo("operation", names, "and")}.`} />
    </div>
  );
}

function HowToRun({ name }: { name: string }) {
  const { install } = usePage().site;
  return (
    <p class="note">
      The JavaScript on this page is one program in parts. Save them in order as <code>{name}.mjs</code>. Install the
      package with <code>{install}</code>, start <code>{mockCommandLine}</code>, and run <code>node {name}.mjs</code>.
    </p>
  );
}

function partsOf(text: string): string[] {
  return text
    .split(/^(\{\{[^}]+\}\})$/m)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function headingsOf(text: string): { id: string; title: string }[] {
  const textWithoutCode = text.replace(/^```[\s\S]*?^```/gm, "");
  const titles = [...textWithoutCode.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => plainText(heading));
  return titles.map((title) => ({ id: slugOf(title), title }));
}

export function guidesPage({ guides }: SiteContent): SitePage {
  const description = "How to use the interface, task by task. Every sample in the guides is run against the mock.";
  const groups = [...new Set(guides.map(({ group }) => group))];
  return {
    ref: { kind: "guides" },
    title: "Guides",
    description,
    section: "Guide",
    content: () => ({
      head: <p class="lead">{description}</p>,
      sections: groups.map((group) => [
        slugOf(group),
        group,
        <GuideCards key={group} guides={guides.filter((guide) => guide.group === group)} />,
      ]),
    }),
  };
}
