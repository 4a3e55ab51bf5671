/** What leads to a webhook: calls, and what happens without one. */
import { type Operation, type Resource, stateOf, type Trigger, type Webhook } from "../../contract/index.ts";
import { type Cause, causesOf } from "../diagrams/index.ts";
import type { SiteContent } from "../site/site.ts";
import { WeakerMark } from "./effects.tsx";
import { Link } from "./link.tsx";
import { usePage } from "./page-context.ts";
import { InlineProse } from "./prose.tsx";
import { tellsOfChange } from "./webhook-subject.ts";

/** An operation that leads to a webhook, with what it says of that. */
interface Leading {
  operation: Operation;
  trigger: Trigger;
}

function leadingTo({ name }: Webhook, { contract }: SiteContent): Leading[] {
  return contract.operations.flatMap((operation) =>
    operation.triggers.filter(({ webhook }) => webhook === name).map((trigger) => ({ operation, trigger })),
  );
}

/** The resource that a webhook tells of. */
export function resourceOf({ event }: Webhook, { contract }: SiteContent): Resource | undefined {
  return contract.resources.find(({ name }) => name === event?.resource);
}

/** What happens outside and leads to a value after which the webhook is sent. */
function happeningsBefore(webhook: Webhook, site: SiteContent): Cause[] {
  const { event } = webhook;
  const resource = resourceOf(webhook, site);
  const state = resource && stateOf(resource, event?.state);
  if (event === undefined || resource === undefined || state === undefined) return [];
  if (!tellsOfChange(webhook, site)) return [];
  const causes = causesOf(site.contract, resource, state);
  return causes.filter(({ kind, to }) => kind === "outside" && to.some((value) => event.after.includes(value)));
}

/** Every call and happening that leads to a webhook. */
export function WebhookCauses({ webhook }: { webhook: Webhook }) {
  const { site } = usePage();
  const leading = leadingTo(webhook, site);
  const happenings = happeningsBefore(webhook, site);
  if (leading.length + happenings.length === 0) return null;
  return (
    <ul class="causes">
      {leading.map(({ operation, trigger }) => (
        <li key={operation.operationId}>
          <Link to="operation" name={operation.operationId} /> leads to it.{" "}
          <WeakerMark provenance={trigger.provenance} than={operation.provenance ?? "proposed"} />
        </li>
      ))}
      {happenings.map(({ name, meaning }) => (
        <li key={name}>
          <InlineProse text={meaning} /> <span class="outside">Without a call of yours.</span>
        </li>
      ))}
    </ul>
  );
}
