/** The list of all webhooks. */
import { Link } from "../components/link.tsx";
import { Section } from "../components/open-section.tsx";
import { QuestionNotes } from "../components/questions.tsx";
import { WebhookAuthenticity } from "../components/webhook-authenticity.tsx";
import { DeliverySchedule, WebhookTable } from "../components/webhook-tables.tsx";
import { slugOf } from "../site/pages.ts";
import type { SiteContent } from "../site/site.ts";
import type { SitePage } from "./page.ts";

/** The page of all webhooks, by area. */
export function webhooksPage(site: SiteContent): SitePage {
  const { webhooks } = site.contract;
  const areas = site.areas.filter((area) => area.webhooks.length > 0);
  const questions = [...new Set(webhooks.flatMap(({ openQuestions }) => openQuestions))];
  return {
    ref: { kind: "webhooks" },
    title: "All webhooks",
    description: `The ${webhooks.length} webhooks, by area: when each is sent and to which path.`,
    section: "Reference",
    synonyms: ["event", "callback", "notification", "signature", "HMAC", "redelivery"],
    headings: [
      ...areas.map(({ name }) => ({ id: slugOf(name), title: name })),
      { id: "delivery", title: "Delivery" },
      { id: "authenticity", title: "Authenticity" },
      { id: "questions", title: "Open questions" },
    ],
    content: () => (
      <>
        <p class="lead">
          The service posts events to your server. The mark beside a webhook says how sure its form is, the one beside a
          path how sure the path is. How to receive, check and answer them: <Link to="guide" name="webhooks" />.
        </p>
        {areas.map(({ name, webhooks: own }) => (
          <Section key={name} id={slugOf(name)} title={name}>
            <WebhookTable webhooks={own} />
          </Section>
        ))}
        <Section id="delivery" title="Delivery">
          <DeliverySchedule />
          <p>No document promises an order, and no event has an identifier of its own.</p>
        </Section>
        <Section id="authenticity" title="Authenticity">
          <WebhookAuthenticity />
        </Section>
        <Section id="questions" title="Open questions">
          <QuestionNotes ids={questions} />
        </Section>
      </>
    ),
  };
}
