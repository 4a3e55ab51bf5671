import type { Resource, State } from "../../contract/model/index.ts";
import { occasionOf } from "../components/events.tsx";
import { ExternalEvents } from "../components/external-events.tsx";
import { Link } from "../components/link.tsx";
import { plainText } from "../components/markdown.tsx";
import { isWeak, weakMark } from "../components/marks.tsx";
import { InlineProse, Prose } from "../components/prose.tsx";
import type { PageContent, Section, SitePage } from "../components/site-page.ts";
import { StateResults } from "../components/state-results.tsx";
import { list, Table } from "../components/table.tsx";
import { linksTo } from "../content/links.ts";
import { slugOf } from "../content/pages.ts";
import type { SiteContent } from "../content/site.ts";
import { LifecycleDiagram } from "../diagrams/lifecycle-diagram.tsx";
import { capitalise, codeList, wordsOf } from "../text/words.ts";
import { KnownValues } from "./guide-block.tsx";

export function lifecyclesPage({ contract: { resources } }: SiteContent): SitePage {
  return {
    ref: { kind: "lifecycles" },
    title: "Lifecycles",
    description: `The ${resources.length} resources that the service keeps, with their states.`,
    section: "Reference",
    synonyms: ["status", "state", "state machine", "final", "resource"],
    content: () => ({
      head: (
        <>
          <p class="lead">What the service keeps, with the values of its states.</p>
          <Table
            rows={resources}
            columns={{
              Resource: ({ name }) => (
                <Link to="lifecycle" name={name}>
                  {capitalise(wordsOf(name))}
                </Link>
              ),
              "What it is": ({ meaning }) => <InlineProse text={meaning} />,
              "Known values": ({ states }) =>
                states.map(({ name, values, provenance }) => (
                  <p key={name}>
                    {name !== "status" && `${wordsOf(name)}: `}
                    <InlineProse text={codeList(values, "and") + weakMark(provenance)} />
                  </p>
                )),
            }}
          />
        </>
      ),
    }),
  };
}

export function lifecyclePages(site: SiteContent): SitePage[] {
  return site.contract.resources.map((resource) => {
    const { name, meaning, states } = resource;
    return {
      ref: { kind: "lifecycle", name },
      title: `Lifecycle: ${wordsOf(name)}`,
      description: plainText(`${meaning} Its states, what changes them, and the webhooks that report it.`),
      section: "Lifecycle",
      synonyms: [name, "status", "state machine", ...states.flatMap(({ values }) => values)],
      trail: [{ ref: { kind: "lifecycles" }, title: "Lifecycles" }],
      content: () => contentOf(resource, site),
    };
  });
}

function contentOf(resource: Resource, site: SiteContent): PageContent {
  const { name, meaning, id, hasUserId, provenance, states, externalEvents, details } = resource;
  // A state that appears in no body has no schema, so its values have no descriptions.
  const schema = states.find((state) => state.schema !== undefined)?.schema;
  const webhooks = site.contract.webhooks.filter(({ event }) => event?.resource === name);
  const owner = hasUserId ? ", the id of its owner: the next one has the same" : "";
  const readSentence = details.length === 0 ? "" : ` Read it with ${linksTo("operation", details, "or")}.`;
  return {
    head: (
      <p class="lead">
        <InlineProse
          text={`${plainText(meaning)} Identified by \`${id}\`${owner}.${readSentence}${weakMark(provenance)}`}
        />
      </p>
    ),
    sections: [
      ...states.map(
        (state): Section => [
          `state-${slugOf(state.name)}`,
          capitalise(wordsOf(state.name)),
          <StateSection key={state.name} resource={resource} state={state} />,
        ],
      ),
      [
        "values",
        "Known values",
        schema && (
          <>
            <KnownValues schema={schema} />
            <p>More values can be added.</p>
          </>
        ),
      ],
      [
        "webhooks",
        "Webhooks that report it",
        list(webhooks, (webhook) => (
          <InlineProse text={`[](webhook:${webhook.name}), sent ${occasionOf(webhook, site)}`} />
        )),
      ],
      ["outside", "What happens without a call", externalEvents.length > 0 && <ExternalEvents resource={resource} />],
    ],
    questions: [...states, ...externalEvents].flatMap((part) => part.openQuestions),
  };
}

function StateSection({ resource, state }: { resource: Resource; state: State }) {
  const { meaning, provenance = "specification", markedTransitions } = state;
  const transitionMarks = markedTransitions.flatMap(({ from, to, provenance: stepProvenance }) =>
    stepProvenance === undefined ? [] : [`\`${from}\` → \`${to}\`:${weakMark(stepProvenance)}`],
  );
  return (
    <>
      <Prose text={meaning} />
      <Prose
        text={[...(isWeak(provenance) ? [`The transitions:${weakMark(provenance)}`] : []), ...transitionMarks].join(
          " ",
        )}
      />
      <LifecycleDiagram resource={resource} state={state} />
      <StateResults state={state} />
    </>
  );
}
