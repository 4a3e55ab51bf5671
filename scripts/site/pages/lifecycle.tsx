/** The page of a resource with its lifecycles; and the list of all resources. */
import type { Resource, State } from "../../contract/model/index.ts";
import { Occasion } from "../components/events.tsx";
import { ExternalEvents } from "../components/external-events.tsx";
import { KnownValues } from "../components/guide-block.tsx";
import { Codes, Link, OperationLinks } from "../components/link.tsx";
import { isWeak, WeakMark } from "../components/marks.tsx";
import { InlineProse, Prose } from "../components/prose.tsx";
import { list, Table } from "../components/table.tsx";
import { LifecycleDiagram } from "../diagrams/lifecycle-diagram.tsx";
import { slugOf } from "../site/pages.ts";
import type { SiteContent } from "../site/site.ts";
import { plainText } from "../text/markdown.tsx";
import { capitalised, wordsOf } from "../text/words.ts";
import type { PageContent, Section, SitePage } from "./page.ts";

/** The page of all resources. */
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
                  {capitalised(wordsOf(name))}
                </Link>
              ),
              "What it is": ({ meaning }) => <InlineProse text={meaning} />,
              "Known values": ({ states }) =>
                states.map(({ name, values, provenance }) => (
                  <p key={name}>
                    {name !== "status" && `${wordsOf(name)}: `}
                    <Codes values={values} joint="and" />
                    <WeakMark provenance={provenance} />
                  </p>
                )),
            }}
          />
        </>
      ),
    }),
  };
}

/** The pages of all resources, in the order of the register. */
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

function contentOf(resource: Resource, { contract }: SiteContent): PageContent {
  const { name, meaning, id, repeats, provenance, states, externalEvents, details } = resource;
  // The values of a state that no body carries have no descriptions.
  const schema = states.find((state) => state.schema !== undefined)?.schema;
  const webhooks = contract.webhooks.filter(({ event }) => event?.resource === name);
  return {
    head: (
      <p class="lead">
        {plainText(meaning)} Identified by <code>{id}</code>
        {repeats && ", the id of its owner: the next one has the same"}.
        {details.length > 0 && [
          " Read it with ",
          <OperationLinks key="details" operationIds={details} joint="or" />,
          ".",
        ]}
        <WeakMark provenance={provenance} />
      </p>
    ),
    sections: [
      ...states.map(
        (state): Section => [
          `state-${slugOf(state.name)}`,
          capitalised(wordsOf(state.name)),
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
          <>
            <Link to="webhook" name={webhook.name} />, sent <Occasion webhook={webhook} />
          </>
        )),
      ],
      ["outside", "What happens without a call", externalEvents.length > 0 && <ExternalEvents resource={resource} />],
    ],
    questions: [...states, ...externalEvents].flatMap((part) => part.openQuestions),
  };
}

/** A state with its diagram. */
function StateSection({ resource, state }: { resource: Resource; state: State }) {
  const { meaning, provenance = "specification", weakerSteps } = state;
  const weaker = weakerSteps.filter((step) => step.provenance !== undefined);
  return (
    <>
      <Prose text={meaning} />
      {(isWeak(provenance) || weaker.length > 0) && (
        <p>
          {isWeak(provenance) && "The transitions:"}
          <WeakMark provenance={provenance} />
          {weaker.map(({ from, to, provenance: own }) => (
            <span key={`${from} ${to}`}>
              {" "}
              <code>{from}</code> → <code>{to}</code>:
              <WeakMark provenance={own} />
            </span>
          ))}
        </p>
      )}
      <LifecycleDiagram resource={resource} state={state} />
    </>
  );
}
