import type { ComponentChildren } from "preact";
import { propertiesOf, type Webhook } from "../../contract/model/index.ts";
import { BodyBlock } from "../components/code-block.tsx";
import {
  Delivery,
  isNameOnly,
  occasionOf,
  provenanceOfBody,
  WebhookCauses,
  WebhookTable,
} from "../components/events.tsx";
import { BodyFields } from "../components/fields.tsx";
import { guideLinks, Link } from "../components/link.tsx";
import { plainText } from "../components/markdown.tsx";
import { isWeak, NameOnlyMark, Origin, weakMark } from "../components/marks.tsx";
import { Call } from "../components/operation-table.tsx";
import { useHrefs } from "../components/page-context.ts";
import { InlineProse, Prose } from "../components/prose.tsx";
import { questionsOf } from "../components/questions.tsx";
import { WebhookSamples } from "../components/samples.tsx";
import type { PageContent, SitePage } from "../components/site-page.ts";
import { list } from "../components/table.tsx";
import { linksTo, resourceLink } from "../content/links.ts";
import { slugOf } from "../content/pages.ts";
import type { SiteContent } from "../content/site.ts";
import { bodiesOf } from "../content/subjects.ts";
import { guidesOf } from "../content/uses.ts";
import { reportOf } from "../content/webhook-triggers.ts";
import { codeList } from "../text/words.ts";

export function webhooksPage({ areas, contract: { webhooks } }: SiteContent): SitePage {
  return {
    ref: { kind: "webhooks" },
    title: "All webhooks",
    description: `The ${webhooks.length} webhooks, by area: when each is sent and to which path.`,
    section: "Reference",
    synonyms: ["event", "callback", "notification", "signature", "HMAC", "verify webhook", "token", "redelivery"],
    content: () => ({
      head: (
        <p class="lead">
          The service posts events to your server. How to receive, check and answer them:{" "}
          <Link to="guide" name="webhooks" />.
        </p>
      ),
      sections: [
        ...areas.map(
          ({ name, webhooks: areaWebhooks }) =>
            [slugOf(name), name, areaWebhooks.length > 0 && <WebhookTable webhooks={areaWebhooks} />] as const,
        ),
        ["delivery", "Delivery", <Delivery key="delivery" />],
      ],
      questions: webhooks.flatMap(({ openQuestions }) => openQuestions),
    }),
  };
}

export function webhookPages(site: SiteContent): SitePage[] {
  return site.contract.webhooks.map((webhook) => {
    const { name, summary, description, tag, path } = webhook;
    return {
      ref: { kind: "webhook", name },
      title: summary,
      description: plainText(`Webhook. ${description.split("\n\n")[0]}`),
      section: "Webhook",
      synonyms: [name, path],
      trail: [{ ref: { kind: "area", name: tag }, title: tag }],
      content: () => contentOf(webhook, site),
    };
  });
}

function contentOf(webhook: Webhook, site: SiteContent): PageContent {
  const { description, effectiveProvenance: provenance, statedDetails } = webhook;
  return {
    head: <WebhookHead webhook={webhook} />,
    sections: [
      [
        "when",
        "When it is sent",
        <>
          <Prose text={description} />
          <Prose text={`It is sent ${occasionOf(webhook, site)}.${weakMark(webhook.event?.provenance, provenance)}`} />
          <WebhookCauses webhook={webhook} />
        </>,
      ],
      [
        "body",
        "Body",
        bodiesOf(webhook).map((body) => (
          <BodyFields
            key={body.mediaType}
            body={body}
            id="body"
            enclosingProvenance={provenanceOfBody(webhook)}
            baseProvenance={provenance}
          />
        )),
      ],
      ["response", "How to respond", <HowToRespond key="response" webhook={webhook} />],
      ["next", "What next", nextSteps(webhook, site)],
    ],
    questions: questionsOf(webhook, site.contract),
    origin: isWeak(provenance) ? undefined : <Origin provenance={provenance} statedDetails={statedDetails} />,
    samples: <WebhookSamples webhook={webhook} />,
  };
}

function WebhookHead({ webhook }: { webhook: Webhook }) {
  const { name, method, path, pathProvenance, effectiveProvenance: provenance, statedDetails } = webhook;
  const parts = { path: pathProvenance ?? provenance, body: provenanceOfBody(webhook) };
  const weakParts = Object.entries(parts).filter(([, partProvenance]) => isWeak(partProvenance));
  return (
    <div class="subject">
      <Call method={method} path={path} />
      <p class="names">
        <span class="address">Sent to your server.</span> Webhook <code data-copy>{name}</code>, in the handler{" "}
        <code>on: {`{ ${name} }`}</code>
      </p>
      {weakParts.length > 0 && (
        <p class="origin">
          {isNameOnly(webhook) && <NameOnlyMark />}
          {statedDetails.length > 0 && ` The specification states its ${statedDetails.join(" and ")}.`}{" "}
          <InlineProse
            text={weakParts.map(([part, partProvenance]) => `The ${part}: {mark:${partProvenance}}.`).join(" ")}
          />
        </p>
      )}
    </div>
  );
}

function HowToRespond({ webhook }: { webhook: Webhook }) {
  const { responses, dedupeKey, dedupeProvenance, effectiveProvenance: provenance } = webhook;
  const hrefs = useHrefs();
  return (
    <>
      {list(responses, ({ key, description, effectiveProvenance, bodies }) => (
        <>
          <InlineProse text={`**${key}**: ${description}${weakMark(effectiveProvenance, provenance)}`} />
          {bodies.flatMap(({ examples, mediaType }) =>
            examples.map(({ name, value }) => <BodyBlock key={name} value={value} mediaType={mediaType} />),
          )}
        </>
      ))}
      <Prose
        text={
          dedupeKey.length === 0
            ? "No fields of the body identify an event: take each one as the state that holds now, so that a repeated delivery changes nothing."
            : `Two deliveries with the same ${codeList(dedupeKey, "and")} are taken for the same event${weakMark(dedupeProvenance, provenance)}, and the receiver of the sample handles it once.`
        }
      />
      <p>
        For every webhook: <a href={hrefs.page({ kind: "webhooks", anchor: "delivery" })}>when it is sent again</a>, and{" "}
        <InlineProse text="[how to check that it is authentic](guide:webhooks)." />
      </p>
    </>
  );
}

function nextSteps(webhook: Webhook, site: SiteContent): ComponentChildren {
  const { event, resource } = reportOf(webhook, site.contract);
  const { details, name, id } = resource;
  const field = Object.keys(event.body).find((bodyField) => event.body[bodyField] === id) ?? id;
  const hasField = bodiesOf(webhook).some(({ schema }) => propertiesOf(schema).has(field));
  const fieldSentence = hasField ? `; \`${field}\` of the event names the resource` : "";
  const readSentence =
    details.length === 0
      ? "No operation reads it back: keep what the event says."
      : `Read the current state with ${linksTo("operation", details, "or")}${fieldSentence}.`;
  return (
    <>
      <Prose text={`${readSentence} How its values follow each other: ${resourceLink(name)}.`} />
      {guideLinks(guidesOf(webhook, site))}
    </>
  );
}
