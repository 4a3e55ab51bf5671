/** The page of a webhook. */
import { type Marks, markOn, type Provenance, propertiesOf, type Webhook, weakest } from "../../contract/index.ts";
import { AdviceMark } from "../components/advice.tsx";
import { codeOfValue } from "../components/answers.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Codes, ResourceLink, WeakerMark } from "../components/effects.tsx";
import { SchemaFields } from "../components/fields.tsx";
import { ProvenanceMark } from "../components/marks.tsx";
import { type PageSection, Sections } from "../components/open-section.tsx";
import { OperationLinks } from "../components/operation-links.tsx";
import { usePage } from "../components/page-context.ts";
import { InlineProse, Prose } from "../components/prose.tsx";
import { QuestionNotes } from "../components/questions.tsx";
import { UsedIn } from "../components/used-in.tsx";
import { WebhookAuthenticity } from "../components/webhook-authenticity.tsx";
import { resourceOf, WebhookCauses } from "../components/webhook-causes.tsx";
import { WebhookHead } from "../components/webhook-head.tsx";
import { WebhookSamples } from "../components/webhook-samples.tsx";
import { DeliveryWords, When } from "../components/webhook-tables.tsx";
import type { SiteContent } from "../site/site.ts";
import { guidesOf } from "../site/uses.ts";
import { firstSentence } from "../text/first-sentence.ts";
import { plainText } from "../text/markdown.tsx";
import type { SitePage } from "./page.ts";

/** The pages of all webhooks, in the order of the contract. */
export function webhookPages(site: SiteContent): SitePage[] {
  return site.contract.webhooks.map((webhook) => webhookPage(webhook, site));
}

function webhookPage(webhook: Webhook, site: SiteContent): SitePage {
  const { name, summary, description, tag, path } = webhook;
  const sections = sectionsOf(webhook, site).filter(({ isShown }) => isShown);
  return {
    ref: { kind: "webhook", name },
    title: summary,
    description: plainText(`Webhook. ${firstSentence(description)}`),
    section: "Webhook",
    synonyms: [name, path, "webhook", "event"],
    trail: [{ ref: { kind: "area", name: tag }, title: tag }],
    headings: [...sections.map(({ id, title }) => ({ id, title })), { id: "samples", title: "Samples" }],
    content: () => (
      <>
        <WebhookHead webhook={webhook} />
        <div class="columns">
          <div class="text">
            <Sections sections={sections} />
          </div>
          <WebhookSamples webhook={webhook} enclosing={provenanceOfBody(webhook)} />
        </div>
      </>
    ),
  };
}

function provenanceOfBody({ provenance = "proposed", requestBody }: Webhook): Provenance {
  if (requestBody === undefined) return provenance;
  const { place } = requestBody;
  return weakest(provenance, markOn(place), markOn(place.target));
}

function sectionsOf(webhook: Webhook, site: SiteContent): PageSection[] {
  const { description, requestBody, answers, openQuestions } = webhook;
  const onAnswers = answers.flatMap(({ place }) => ((place.target.value ?? {}) as Marks)["x-open-questions"] ?? []);
  const questions = [...new Set([...openQuestions, ...onAnswers])];
  const guides = guidesOf(webhook, site);
  return [
    {
      id: "when",
      title: "When it is sent",
      isShown: true,
      content: () => (
        <>
          <Prose text={description} />
          <Occasions webhook={webhook} />
        </>
      ),
    },
    {
      id: "body",
      title: "Body",
      isShown: requestBody !== undefined,
      content: () =>
        requestBody?.bodies.map(({ mediaType, schema }) => (
          <SchemaFields
            key={mediaType}
            schema={schema}
            id="body"
            enclosing={provenanceOfBody(webhook)}
            than={webhook.provenance ?? "proposed"}
          />
        )),
    },
    {
      id: "authenticity",
      title: "Is it authentic?",
      isShown: true,
      content: () => <WebhookAuthenticity />,
    },
    { id: "response", title: "How to respond", isShown: true, content: () => <YourAnswers webhook={webhook} /> },
    { id: "again", title: "Sent again", isShown: true, content: () => <Repetitions webhook={webhook} /> },
    { id: "next", title: "What next", isShown: true, content: () => <NextReads webhook={webhook} /> },
    {
      id: "questions",
      title: "Open questions",
      isShown: questions.length > 0,
      content: () => <QuestionNotes ids={questions} />,
    },
    {
      id: "used-in",
      title: "Where it is used",
      isShown: guides.length > 0,
      content: () => <UsedIn journeys={[]} guides={guides} />,
    },
  ];
}

/** After which values, after which calls, and in which order. */
function Occasions({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <p>
        It is sent <When webhook={webhook} />.
      </p>
      <WebhookCauses webhook={webhook} />
      <p>
        No document promises an order. Be ready for an event that arrives before the response to the call that leads to
        it, or after a later event. <AdviceMark />
      </p>
    </>
  );
}

function YourAnswers({ webhook: { answers, provenance = "proposed" } }: { webhook: Webhook }) {
  return (
    <ul class="your-answers">
      {answers.map(({ key, description, place, bodies }) => (
        <li key={key}>
          <strong>{key}</strong>: <InlineProse text={description} />{" "}
          <WeakerMark provenance={weakest(provenance, markOn(place), markOn(place.target))} than={provenance} />
          {bodies.flatMap(({ examples, mediaType }) =>
            examples.map(({ name, value }) => <CodeBlock key={name} {...codeOfValue(value, mediaType)} />),
          )}
        </li>
      ))}
    </ul>
  );
}

/** How often a delivery is tried, and how a repetition is recognised. */
function Repetitions({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <DeliveryWords />
      <p>
        <RepetitionWords webhook={webhook} />
      </p>
    </>
  );
}

function RepetitionWords({ webhook }: { webhook: Webhook }) {
  const { dedupeKey, dedupeProvenance, provenance = "proposed" } = webhook;
  if (dedupeKey.length === 0) {
    return (
      <>
        No fields of the body identify an event: a repeated delivery looks like the same outcome of a later attempt.
        Take each one as the state that holds now, so that the second changes nothing. <AdviceMark />
      </>
    );
  }
  return (
    <>
      Two deliveries with the same <Codes values={dedupeKey} joint="and" /> are taken for the same event{" "}
      <ProvenanceMark provenance={dedupeProvenance ?? provenance} />. The receiver of the sample handles it once.{" "}
      <AdviceMark />
    </>
  );
}

/** The calls that read what the webhook tells of. */
function NextReads({ webhook }: { webhook: Webhook }) {
  const { site } = usePage();
  const resource = resourceOf(webhook, site);
  if (resource === undefined) return null;
  const { details, name } = resource;
  const field = Object.entries(webhook.event?.body ?? {}).find(([, own]) => own === resource.id)?.[0] ?? resource.id;
  const hasField = webhook.requestBody?.bodies.some(({ schema }) => propertiesOf(schema).has(field)) ?? false;
  return (
    <>
      {details.length === 0 ? (
        <p>No operation reads it back: keep what the event says.</p>
      ) : (
        <p>
          Read the current state with <OperationLinks operationIds={details} joint="or" />
          {hasField && (
            <>
              ; <code>{field}</code> of the event names the resource
            </>
          )}
          .
        </p>
      )}
      <p>
        How its values follow each other: <ResourceLink name={name} />.
      </p>
    </>
  );
}
