import { found } from "../../base/index.ts";
import type { Provenance, Webhook } from "../../contract/model/index.ts";
import { causesOf } from "../content/lifecycle-data.ts";
import { resourceLink } from "../content/links.ts";
import type { SiteContent } from "../content/site.ts";
import { eventOf, reportOf, reportsStateChange, triggersWebhook } from "../content/webhook-triggers.ts";
import { codeList, listWords, wordsOf } from "../text/words.ts";
import { Link } from "./link.tsx";
import { NameOnlyMark, weakMark } from "./marks.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse, Prose } from "./prose.tsx";
import { list, Table } from "./table.tsx";

export function provenanceOfBody({ name, requestBody }: Webhook): Provenance {
  return found(requestBody, `body of the webhook ${name}`).effectiveProvenance;
}

export function isNameOnly({ provenance, statedDetails }: Webhook): boolean {
  return provenance === "proposed" && statedDetails.join() === "name";
}

/** Markdown: "when the exchange becomes `COMPLETED`" or, if no state changes, "for a card that is `ACTIVE`". */
export function occasionOf(webhook: Webhook, { contract }: SiteContent): string {
  const { resource, state, after } = eventOf(webhook);
  const subject = (state === undefined ? "" : `${wordsOf(state)} of the `) + resourceLink(resource);
  const valuesText = codeList(after, "or");
  if (!reportsStateChange(webhook, contract)) return `for a ${subject} that is ${valuesText}`;
  const isPlural = state === undefined && /[^s]s$/.test(resource);
  // Lower-case values such as `created` read as words: "is created".
  const areWords = after.every((value) => /^[a-z ]+$/.test(value));
  return `when the ${subject} ${areWords ? "is" : isPlural ? "become" : "becomes"} ${valuesText}`;
}

export function WebhookCauses({ webhook }: { webhook: Webhook }) {
  const { site } = usePage();
  const { event, resource, state } = reportOf(webhook, site.contract);
  const causes = reportsStateChange(webhook, site.contract) ? causesOf(site.contract, resource, state) : [];
  const outsideCauses = causes.filter(
    ({ kind, to }) => kind === "outside" && to.some((value) => event.after.includes(value)),
  );
  const operations = site.contract.operations.filter((operation) => triggersWebhook(operation, webhook));
  const entries = [
    ...operations.map(({ operationId, triggers, effectiveProvenance: provenance }) => {
      const triggerProvenance = triggers.find((trigger) => trigger.webhook === webhook.name)?.provenance;
      return `[](operation:${operationId}) leads to it.${weakMark(triggerProvenance, provenance)}`;
    }),
    ...outsideCauses.map(({ meaning }) => `Without a call of yours: ${meaning}`),
  ];
  return list(entries, (text) => <InlineProse text={text} />);
}

export function WebhookLink({ webhook }: { webhook: Webhook }) {
  const { name } = webhook;
  if (!isNameOnly(webhook)) return <Link to="webhook" name={name} provenance={provenanceOfBody(webhook)} />;
  return (
    <>
      <Link to="webhook" name={name} /> <NameOnlyMark />
    </>
  );
}

export function WebhookTable({ webhooks }: { webhooks?: readonly Webhook[] }) {
  const { site } = usePage();
  return (
    <Table
      rows={webhooks ?? site.contract.webhooks}
      columns={{
        Webhook: (webhook) => <WebhookLink webhook={webhook} />,
        Sent: (webhook) => (
          <InlineProse text={occasionOf(webhook, site) + weakMark(webhook.event?.provenance, webhook.provenance)} />
        ),
        "Path on your server": ({ path, pathProvenance }) => (
          <InlineProse text={`\`${path}\`${weakMark(pathProvenance)}`} />
        ),
      }}
    />
  );
}

export function Delivery() {
  const { delivery } = usePage().site.contract;
  if (delivery === undefined) return null;
  const { attempts, delays, provenance } = delivery;
  return (
    <Prose
      text={`A delivery is tried at most ${attempts} times: again about ${listWords(delays.map(String), "and")} seconds after the
attempt before it has failed. {mark:${provenance}} Events can arrive in any order, also before the response to the call that leads to
them, and no event has an identifier of its own.`}
    />
  );
}
