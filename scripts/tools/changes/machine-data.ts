/**
 * The elements of the extensions for programs: conditions, effects and events of operations, `x-event` of webhooks, resources and their lifecycles, and the
 * delivery of webhooks. They are compared only if both contracts contain them.
 */
import {
  type Contract,
  type Edition,
  editionsOf,
  type Lookup,
  type Operation,
  type Provenance,
  type Resource,
  stateOf,
  weakestProvenance,
} from "../../contract/model/index.ts";
import type { Element, Kind } from "./element.ts";

export function machineData(contract: Contract, former: ReadonlyMap<string, string>): Element[] {
  return [
    ...contract.operations.flatMap((operation) =>
      operationElements(operation, former.get(operation.name) ?? operation.name),
    ),
    ...contract.webhooks.flatMap(({ name, event, provenance = "proposed" }) => {
      const id = former.get(name) ?? name;
      if (event === undefined) return [];
      const { resource, state, after, provenance: own } = event;
      const facts = { after, resource, state };
      return [part(id, "event", "trigger", "what it tells of", { mark: weakestProvenance(provenance, own), facts })];
    }),
    ...contract.resources.flatMap(resourceElements),
    ...lifecycles(contract),
    ...deliveryElements(contract),
  ];
}

function operationElements(operation: Operation, id: string): Element[] {
  const { provenance = "proposed", requires, effects, triggers, lookup } = operation;
  const editions = editionsOf(provenance);
  const make = (key: string, kind: Kind, name: string, facts: Element["facts"], own?: Provenance) =>
    part(id, key, kind, name, { mark: weakestProvenance(provenance, own), facts, editions });
  return [
    ...requires.map(({ condition, of, location }) => {
      const ownProvenance = location.child("provenance").value as Provenance | undefined;
      return make(`requires/${condition}`, "condition", `the condition \`${condition}\``, { of }, ownProvenance);
    }),
    ...effects.map(({ kind, resource, state, from, to, later, provenance: own }) => {
      const what = [resource, state].filter(Boolean).join(".");
      const name = kind === "creates" ? `the effect that creates a ${what}` : `the effect that moves the ${what}`;
      return make(`effects/${kind}/${what}`, "effect", name, { from, to, later }, own);
    }),
    ...triggers.map(({ webhook, provenance: own }) =>
      make(`triggers/${webhook}`, "trigger", `the webhook \`${webhook}\` that follows`, {}, own),
    ),
    ...(lookup === undefined ? [] : [make("lookup", "lookup", "the way to look for a call", lookupFacts(lookup))]),
  ];
}

function lookupFacts({ records, webhook, certain, shownBy, repeat }: Lookup): Element["facts"] {
  const lists = records.map(({ location: _, ...record }) => record);
  const webhookFacts = webhook && { name: webhook.name, same: webhook.same, atLeast: webhook.atLeast };
  return { lists, webhook: webhookFacts, certain, shownBy, repeat };
}

function resourceElements({
  name,
  id,
  hasUserId,
  details,
  externalEvents,
  provenance = "specification",
}: Resource): Element[] {
  const holder = `resources/${name}`;
  return [
    topLevel(holder, `the resource \`${name}\``, name, {
      mark: provenance,
      facts: { identifiedBy: id, repeats: hasUserId, details },
    }),
    ...externalEvents.map(({ name: event, creates, moves, state, from, to, provenance: own }) =>
      part(holder, event, "external event", `the change \`${event}\`, which no call causes,`, {
        ...{ mark: weakestProvenance(provenance, own), facts: { creates, moves, state, from, to }, subject: name },
      }),
    ),
  ];
}

function deliveryElements({ delivery }: Contract): Element[] {
  if (delivery === undefined) return [];
  const { attempts, delays, healthPath, provenance } = delivery;
  const deliveryPart = { mark: provenance, facts: { attempts, delays, healthPath } };
  return [topLevel("delivery", "the delivery of webhooks", "webhooks", deliveryPart)];
}

function lifecycles({ resources }: Contract): Element[] {
  return resources.flatMap((resource) =>
    resource.states.flatMap((state) => {
      const { name, lifecycle, succeeds, weakerSteps, provenance: own } = state;
      const only = stateOf(resource, undefined) === state;
      const id = `lifecycles/${resource.name}${only ? "" : `.${name}`}`;
      const mark = weakestProvenance(resource.provenance ?? "specification", own);
      const title = `the lifecycle of a ${resource.name}${only ? "" : `'s ${name}`}`;
      const holder = topLevel(id, title, resource.name, { mark, facts: { initial: lifecycle.initial, succeeds } });
      const steps = Object.entries(lifecycle.transitions).flatMap(([from, next]) =>
        next.map((to) => {
          const weaker = weakerSteps.find((step) => step.from === from && step.to === to);
          const step = part(id, `${from} to ${to}`, "step", `the step from \`${from}\` to \`${to}\``, {
            ...{ mark: weakestProvenance(mark, weaker?.provenance), facts: {}, subject: resource.name },
          });
          return step;
        }),
      );
      return [holder, ...steps];
    }),
  );
}

interface About {
  readonly mark: Provenance;
  readonly facts: Element["facts"];
  readonly editions?: readonly Edition[];
  readonly subject?: string;
}

function part(parent: string, key: string, kind: Kind, name: string, about: About): Element {
  const { mark, facts, editions = editionsOf(undefined), subject = parent } = about;
  return {
    ...{ id: `${parent}/${key}`, parent, subject, kind, name, direction: "response", editions, provenance: mark },
    ...{ required: false, facts, texts: [] },
  };
}

function topLevel(id: string, name: string, subject: string, { mark, facts }: About): Element {
  return { ...part("", "", "service", name, { mark, facts, subject }), id };
}
