/** The page of a resource: how its states follow each other, and what moves them. */
import type { Resource, State } from "../../contract/index.ts";
import { wordsOf } from "../components/field-words.ts";
import { Happenings } from "../components/happenings.tsx";
import { KnownValues } from "../components/known-values.tsx";
import { StateLifecycle } from "../components/lifecycles.tsx";
import { ProvenanceMark } from "../components/marks.tsx";
import { type PageSection, Sections } from "../components/open-section.tsx";
import { Prose } from "../components/prose.tsx";
import { QuestionNotes } from "../components/questions.tsx";
import { ResourceOperations, ResourceWebhooks } from "../components/resource-links.tsx";
import { slugOf } from "../site/pages.ts";
import type { SiteContent } from "../site/site.ts";
import { plainText } from "../text/markdown.tsx";
import type { SitePage } from "./page.ts";

/** The pages of all resources, in the order of the register. */
export function lifecyclePages(site: SiteContent): SitePage[] {
  return site.contract.resources.map((resource) => lifecyclePage(resource, site));
}

/** The name of a resource as a heading. */
export function titleOfResource({ name }: Resource): string {
  return wordsOf(name).replace(/^./, (letter) => letter.toUpperCase());
}

function lifecyclePage(resource: Resource, site: SiteContent): SitePage {
  const { name, meaning } = resource;
  const sections = sectionsOf(resource, site).filter(({ isShown }) => isShown);
  const values = resource.states.flatMap((state) => state.values);
  return {
    ref: { kind: "lifecycle", name },
    title: `Lifecycle: ${wordsOf(name)}`,
    description: plainText(`${meaning} Its states, what moves them, and the webhooks that tell of it.`),
    section: "Lifecycle",
    synonyms: [name, "status", "state machine", ...values],
    trail: [{ ref: { kind: "lifecycles" }, title: "Lifecycles" }],
    headings: sections.map(({ id, title }) => ({ id, title })),
    content: () => (
      <>
        <p class="lead">{plainText(meaning)}</p>
        <ResourceFacts resource={resource} />
        <Sections sections={sections} />
      </>
    ),
  };
}

function ResourceFacts({ resource: { id, repeats, provenance = "specification" } }: { resource: Resource }) {
  return (
    <dl class="subject-facts">
      <dt>Identified by</dt>
      <dd>
        <code>{id}</code>
        {repeats && ", the id of its owner: the next one has the same"}
      </dd>
      <dt>Provenance</dt>
      <dd>
        <ProvenanceMark provenance={provenance} isLong />
      </dd>
    </dl>
  );
}

function sectionsOf(resource: Resource, site: SiteContent): PageSection[] {
  const { webhooks } = site.contract;
  // Of a state that no body carries, the values have no meanings of their own.
  const schema = resource.states.find((state) => state.schema !== undefined)?.schema;
  const questions = [...new Set([...resource.states, ...resource.outside].flatMap((part) => part.openQuestions))];
  return [
    ...resource.states.map((state) => ({
      id: `state-${slugOf(state.name)}`,
      title: state.name === "status" ? "Status" : capitalised(wordsOf(state.name)),
      isShown: true,
      content: () => <StateSection resource={resource} state={state} />,
    })),
    {
      id: "values",
      title: "Known values",
      isShown: schema !== undefined,
      content: () => (
        <>
          <KnownValues schema={schema ?? ""} />
          <p>More values can be added.</p>
        </>
      ),
    },
    {
      id: "operations",
      title: "Operations",
      isShown: true,
      content: () => <ResourceOperations resource={resource} />,
    },
    {
      id: "webhooks",
      title: "Webhooks that tell of it",
      isShown: webhooks.some(({ event }) => event?.resource === resource.name),
      content: () => <ResourceWebhooks resource={resource} />,
    },
    {
      id: "outside",
      title: "What happens without a call",
      isShown: resource.outside.length > 0,
      content: () => <Happenings resource={resource} />,
    },
    {
      id: "questions",
      title: "Open questions",
      isShown: questions.length > 0,
      content: () => <QuestionNotes ids={questions} />,
    },
  ];
}

function capitalised(words: string): string {
  return words.replace(/^./, (letter) => letter.toUpperCase());
}

/** A state with its diagram, and how sure the transitions are. */
function StateSection({ resource, state }: { resource: Resource; state: State }) {
  const { meaning, provenance = "specification", weakerSteps } = state;
  return (
    <>
      <Prose text={meaning} />
      <p>
        How its values follow each other: <ProvenanceMark provenance={provenance} isLong />
        {weakerSteps.map(({ from, to, provenance: own }) => (
          <span key={`${from} ${to}`}>
            ; <code>{from}</code> → <code>{to}</code>: <ProvenanceMark provenance={own ?? provenance} isLong />
          </span>
        ))}
      </p>
      <StateLifecycle resource={resource} state={state} />
    </>
  );
}
