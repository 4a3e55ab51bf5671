/** Webhooks: occasions, paths and delivery. */
import { type Provenance, type Resource, stateOf, type Webhook } from "../../contract/model/index.ts";
import { causesOf } from "../diagrams/lifecycle-data.ts";
import type { SiteContent } from "../site/site.ts";
import { reportsStateChange, triggersWebhook } from "../site/webhook-triggers.ts";
import { listWords, wordsOf } from "../text/words.ts";
import { Codes, Link, ResourceLink } from "./link.tsx";
import { NameOnlyMark, WeakMark } from "./marks.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";
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

/** The values of a state after which a webhook is sent; without a state change, the state of its resource. */
export function Occasion({ webhook }: { webhook: Webhook }) {
  const { site } = usePage();
  const { event } = webhook;
  if (event === undefined) return null;
  const { resource, state, after } = event;
  const subject = (
    <>
      {state !== undefined && `${wordsOf(state)} of the `}
      <ResourceLink name={resource} />
    </>
  );
  const values = <Codes values={after} joint="or" />;
  if (!reportsStateChange(webhook, site.contract)) {
    return (
      <>
        for a {subject} that is {values}
      </>
    );
  }
  const isMany = state === undefined && /[^s]s$/.test(resource);
  return (
    <>
      when the {subject} {verbFor(after, isMany)} {values}
    </>
  );
}

/** Names of internal states such as `created` are not interface values, so the sentence uses another verb. */
function verbFor(values: readonly string[], isMany: boolean): string {
  const areWords = values.every((value) => /^[a-z ]+$/.test(value));
  if (areWords) return isMany ? "are" : "is";
  return isMany ? "become" : "becomes";
}

/** All operations and external events that lead to a webhook. */
export function WebhookCauses({ webhook }: { webhook: Webhook }) {
  const { site } = usePage();
  const { event } = webhook;
  const resource = resourceOf(webhook, site);
  const state = resource && stateOf(resource, event?.state);
  const causes =
    resource && state && reportsStateChange(webhook, site.contract) ? causesOf(site.contract, resource, state) : [];
  const outside = causes.filter(
    ({ kind, to }) => kind === "outside" && to.some((value) => event?.after.includes(value)),
  );
  const operations = site.contract.operations.filter((operation) => triggersWebhook(operation, webhook));
  const entries = [
    ...operations.map(({ operationId, triggers, provenance = "proposed" }) => (
      <>
        <Link to="operation" name={operationId} /> leads to it.
        <WeakMark
          provenance={triggers.find((trigger) => trigger.webhook === webhook.name)?.provenance}
          than={provenance}
        />
      </>
    )),
    ...outside.map(({ meaning }) => (
      <>
        <InlineProse text={meaning} /> <span class="quiet">Without a call of yours.</span>
      </>
    )),
  ];
  return list(entries, (entry) => entry);
}

/** The name of a webhook, with the provenance of its body. */
export function WebhookLink({ webhook }: { webhook: Webhook }) {
  return (
    <>
      <Link to="webhook" name={webhook.name} />
      {isNameOnly(webhook) ? [" ", <NameOnlyMark key="mark" />] : <WeakMark provenance={provenanceOfBody(webhook)} />}
    </>
  );
}

/**
 * Name, occasion and path of webhooks, each with its provenance.
 *
 * @param webhooks all by default.
 */
export function WebhookTable({ webhooks }: { webhooks?: readonly Webhook[] }) {
  const { contract } = usePage().site;
  return (
    <Table
      rows={webhooks ?? contract.webhooks}
      columns={{
        Webhook: (webhook) => <WebhookLink webhook={webhook} />,
        Sent: (webhook) => (
          <>
            <Occasion webhook={webhook} />
            <WeakMark provenance={webhook.event?.provenance} than={webhook.provenance ?? "proposed"} />
          </>
        ),
        "Path on your server": ({ path, pathProvenance }) => (
          <>
            <code>{path}</code>
            <WeakMark provenance={pathProvenance} />
          </>
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
    <p>
      A delivery is tried at most {attempts} times: again about {listWords(delays.map(String), "and")} seconds after the
      attempt before it has failed.
      <WeakMark provenance={provenance} /> Events can arrive in any order, also before the response to the call that
      leads to them, and no event has an identifier of its own.
    </p>
  );
}
