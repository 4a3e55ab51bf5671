/** Webhooks: occasions, paths and delivery. */
import { type Provenance, type Resource, stateOf, type Webhook } from "../../contract/model/index.ts";
import { causesOf } from "../diagrams/lifecycle-data.ts";
import type { SiteContent } from "../site/site.ts";
import { reportsStateChange, triggersWebhook } from "../site/webhook-triggers.ts";
import { resourceLink } from "../text/links.ts";
import { codeList, listWords, wordsOf } from "../text/words.ts";
import { Link } from "./link.tsx";
import { NameOnlyMark, weakMark } from "./marks.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse, Prose } from "./prose.tsx";
import { list, Table } from "./table.tsx";

/** The resource that a webhook reports. */
export function resourceOf({ event }: Webhook, { contract }: SiteContent): Resource | undefined {
  return contract.resources.find(({ name }) => name === event?.resource);
}

/** The effective provenance of the body of a webhook. */
export function provenanceOfBody({ provenance = "proposed", requestBody }: Webhook): Provenance {
  return requestBody?.effective ?? provenance;
}

/** Whether the specification states the name of a webhook, and everything else is proposed. */
export function isNameOnly({ provenance, stated }: Webhook): boolean {
  return provenance === "proposed" && stated.join() === "name";
}

/** When a webhook is sent: the values of a state; without a state change, the state of its resource. As Markdown. */
export function occasionOf(webhook: Webhook, { contract }: SiteContent): string {
  if (webhook.event === undefined) return "";
  const { resource, state, after } = webhook.event;
  const subject = (state === undefined ? "" : `${wordsOf(state)} of the `) + resourceLink(resource);
  const values = codeList(after, "or");
  if (!reportsStateChange(webhook, contract)) return `for a ${subject} that is ${values}`;
  const isMany = state === undefined && /[^s]s$/.test(resource);
  // Names of internal states such as `created` are not interface values, so the sentence uses another verb.
  const areWords = after.every((value) => /^[a-z ]+$/.test(value));
  return `when the ${subject} ${areWords ? "is" : isMany ? "become" : "becomes"} ${values}`;
}

/** All operations and external events that lead to a webhook. */
export function WebhookCauses({ webhook }: { webhook: Webhook }) {
  const { site } = usePage();
  const { event, name } = webhook;
  const resource = resourceOf(webhook, site);
  const state = resource && stateOf(resource, event?.state);
  const causes =
    resource && state && reportsStateChange(webhook, site.contract) ? causesOf(site.contract, resource, state) : [];
  const outside = causes.filter(
    ({ kind, to }) => kind === "outside" && to.some((value) => event?.after.includes(value)),
  );
  const operations = site.contract.operations.filter((operation) => triggersWebhook(operation, webhook));
  const entries = [
    ...operations.map(({ operationId, triggers, provenance = "proposed" }) => {
      const own = triggers.find((trigger) => trigger.webhook === name)?.provenance;
      return `[](operation:${operationId}) leads to it.${weakMark(own, provenance)}`;
    }),
    ...outside.map(({ meaning }) => `${meaning} Without a call of yours.`),
  ];
  return list(entries, (text) => <InlineProse text={text} />);
}

/** The name of a webhook, with the provenance of its body. */
export function WebhookLink({ webhook }: { webhook: Webhook }) {
  const { name } = webhook;
  if (!isNameOnly(webhook)) return <Link to="webhook" name={name} provenance={provenanceOfBody(webhook)} />;
  return (
    <>
      <Link to="webhook" name={name} /> <NameOnlyMark />
    </>
  );
}

/**
 * Name, occasion and path of webhooks, each with its provenance.
 *
 * @param webhooks all by default.
 */
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

/** The schedule of repeated deliveries. */
export function Delivery() {
  const { delivery } = usePage().site.contract;
  if (delivery === undefined) return null;
  const { attempts, delays, provenance } = delivery;
  return (
    <Prose
      text={`A delivery is tried at most ${attempts} times: again about ${listWords(delays.map(String), "and")} seconds after the
attempt before it has failed.${weakMark(provenance)} Events can arrive in any order, also before the response to the call that leads to
them, and no event has an identifier of its own.`}
    />
  );
}
