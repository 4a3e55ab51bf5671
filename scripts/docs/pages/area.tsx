/** The page of an area: everything that belongs together. */
import { CodeIndex } from "../components/code-index.tsx";
import { ResourceLink } from "../components/effects.tsx";
import { Link } from "../components/link.tsx";
import { ProvenanceMark } from "../components/marks.tsx";
import { type PageSection, Sections } from "../components/open-section.tsx";
import { OperationTable } from "../components/operation-table.tsx";
import { useHrefs, usePage } from "../components/page-context.ts";
import { InlineProse, Prose } from "../components/prose.tsx";
import { UsedIn } from "../components/used-in.tsx";
import { placesOfQuestions } from "../site/question-places.ts";
import type { Area, SiteContent } from "../site/site.ts";
import { guidesOfArea, journeysOf } from "../site/uses.ts";
import { counted } from "../text/counted.ts";
import { firstSentence } from "../text/first-sentence.ts";
import { plainText } from "../text/markdown.tsx";
import type { SitePage } from "./page.ts";
import { ranksOf } from "./questions.tsx";

/** The pages of all areas, in the order of the contract. */
export function areaPages(site: SiteContent): SitePage[] {
  const places = placesOfQuestions(site.contract);
  return site.areas.map((area) => {
    const concerns = (id: string) => places.get(id)?.some(({ subject }) => subject.tag === area.name) === true;
    return areaPage(area, Object.keys(site.questions).filter(concerns), site);
  });
}

function areaPage(area: Area, questions: readonly string[], site: SiteContent): SitePage {
  const sections = sectionsOf(area, questions, site).filter(({ isShown }) => isShown);
  return {
    ref: { kind: "area", name: area.name },
    title: area.name,
    description: plainText(firstSentence(area.description)),
    section: "Area",
    headings: sections.map(({ id, title }) => ({ id, title })),
    content: () => (
      <>
        <Prose text={area.description} />
        <Sections sections={sections} />
      </>
    ),
  };
}

function sectionsOf(area: Area, questions: readonly string[], site: SiteContent): PageSection[] {
  const { operations, webhooks } = area;
  const resources = resourcesOf(area, site);
  const journeys = site.journeys.filter((journey) =>
    operations.some((operation) => journeysOf(operation, site).includes(journey)),
  );
  const guides = guidesOfArea(area, site);
  const used = new Set(operations.flatMap(({ answers }) => answers.flatMap(({ codes }) => codes)));
  const codes = site.contract.errorCodes.filter(({ code }) => used.has(code));
  return [
    {
      id: "operations",
      title: "Operations",
      isShown: operations.length > 0,
      content: () => <OperationTable operations={operations} />,
    },
    { id: "webhooks", title: "Webhooks", isShown: webhooks.length > 0, content: () => <WebhookList area={area} /> },
    {
      id: "lifecycles",
      title: "Lifecycles",
      isShown: resources.length > 0,
      content: () => (
        <ul>
          {resources.map(({ name, meaning }) => (
            <li key={name}>
              <ResourceLink name={name} />: <InlineProse text={firstSentence(meaning)} />
            </li>
          ))}
        </ul>
      ),
    },
    {
      id: "used-in",
      title: "Guides and journeys",
      isShown: journeys.length + guides.length > 0,
      content: () => <UsedIn journeys={journeys} guides={guides} />,
    },
    { id: "codes", title: "P-codes", isShown: codes.length > 0, content: () => <CodeIndex codes={codes} /> },
    {
      id: "questions",
      title: "Open questions",
      isShown: questions.length > 0,
      content: () => <QuestionCount ids={questions} />,
    },
  ];
}

/** The resources that the operations of an area create or move, and those that its webhooks tell of. */
function resourcesOf({ operations, webhooks }: Area, { contract }: SiteContent) {
  const names = new Set([
    ...operations.flatMap(({ effects }) => effects.map(({ resource }) => resource)),
    ...webhooks.flatMap(({ event }) => (event === undefined ? [] : [event.resource])),
  ]);
  return contract.resources.filter(({ name }) => names.has(name));
}

function WebhookList({ area: { webhooks } }: { area: Area }) {
  return (
    <ul class="webhooks">
      {webhooks.map(({ name, description, provenance = "proposed" }) => (
        <li key={name}>
          <Link to="webhook" name={name} />: <InlineProse text={firstSentence(description)} />{" "}
          <ProvenanceMark provenance={provenance} />
        </li>
      ))}
    </ul>
  );
}

/** How many questions there are of each rank, with links to the pages that list them. */
function QuestionCount({ ids }: { ids: readonly string[] }) {
  const { site } = usePage();
  const hrefs = useHrefs();
  const used = ids.map((id) => site.questions[id]?.rank);
  return (
    <ul>
      {ranksOf(site)
        .filter((rank) => used.includes(rank))
        .map((rank) => (
          <li key={rank}>
            <a href={hrefs.to({ kind: "questions-of", name: rank })}>
              {counted(used.filter((other) => other === rank).length, "open question")} of the rank {rank}
            </a>
          </li>
        ))}
    </ul>
  );
}
