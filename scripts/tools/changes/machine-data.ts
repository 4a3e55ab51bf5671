/** Elements of the extensions for programs. They are compared only if both contracts are annotated. */
import { editions as allEditions, type Edition } from "../../base/index.ts";
import {
  type Contract,
  editionsOf,
  type Lookup,
  type Operation,
  type Provenance,
  type Resource,
  stateOf,
  weakestProvenance,
} from "../../contract/model/index.ts";
import type { Element, Facts, Kind } from "./element.ts";

export function machineData(contract: Contract, formerNames: ReadonlyMap<string, string>): Element[] {
  return [
    ...contract.operations.flatMap((operation) =>
      operationElements(operation, formerNames.get(operation.name) ?? operation.name),
    ),
    ...contract.webhooks.flatMap(({ name, event, effectiveProvenance }) => {
      const id = formerNames.get(name) ?? name;
      if (event === undefined) return [];
      const { resource, state, after, provenance: eventProvenance } = event;
      const facts: Facts = { after, resource, state };
      return [
        makeElement(id, "event", "trigger", "what it tells of", {
          provenance: weakestProvenance(effectiveProvenance, eventProvenance),
          facts,
        }),
      ];
    }),
    ...contract.resources.flatMap(resourceElements),
    ...lifecycles(contract),
    ...deliveryElements(contract),
  ];
}

function operationElements(operation: Operation, id: string): Element[] {
  const { effectiveProvenance, requires, effects, triggers, lookup } = operation;
  const editions = editionsOf(operation.effectiveProvenance);
  const make = (key: string, kind: Kind, name: string, facts: Facts, elementProvenance?: Provenance) =>
    makeElement(id, key, kind, name, {
      provenance: weakestProvenance(effectiveProvenance, elementProvenance),
      facts,
      editions,
    });
  return [
    ...requires.map(({ condition, expressions, location }) => {
      const ownProvenance = location.child("provenance").value as Provenance | undefined;
      return make(
        `requires/${condition}`,
        "condition",
        `the condition \`${condition}\``,
        { of: expressions },
        ownProvenance,
      );
    }),
    ...effects.map(({ kind, resource, state, from, to, later, provenance: ownProvenance }) => {
      const target = [resource, state].filter(Boolean).join(".");
      const name = kind === "creates" ? `the effect that creates a ${target}` : `the effect that moves the ${target}`;
      return make(`effects/${kind}/${target}`, "effect", name, { from, to, later }, ownProvenance);
    }),
    ...triggers.map(({ webhook, provenance: ownProvenance }) =>
      make(`triggers/${webhook}`, "trigger", `the webhook \`${webhook}\` that follows`, {}, ownProvenance),
    ),
    ...(lookup === undefined ? [] : [make("lookup", "lookup", "the way to look for a call", lookupFacts(lookup))]),
  ];
}

function lookupFacts({ records, webhook, certain, shownBy, repeat }: Lookup): Facts {
  const lists = records.map(({ location, ...record }) => record);
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
    makeTopLevelElement(holder, "resource", `the resource \`${name}\``, {
      provenance,
      subject: name,
      facts: { identifiedBy: id, repeats: hasUserId, details },
    }),
    ...externalEvents.map(({ name: event, creates, moves, state, from, to, provenance: eventProvenance }) =>
      makeElement(holder, event, "external event", `the change \`${event}\`, which no call causes,`, {
        provenance: weakestProvenance(provenance, eventProvenance),
        facts: { creates, moves, state, from, to },
        subject: name,
      }),
    ),
  ];
}

function deliveryElements({ delivery }: Contract): Element[] {
  if (delivery === undefined) return [];
  const { attempts, delays, healthPath, provenance } = delivery;
  const deliveryPart = { provenance, subject: "webhooks", facts: { attempts, delays, healthPath } };
  return [makeTopLevelElement("delivery", "delivery", "the delivery of webhooks", deliveryPart)];
}

function lifecycles({ resources }: Contract): Element[] {
  return resources.flatMap((resource) =>
    resource.states.flatMap((state) => {
      const { name, lifecycle, successValues, markedTransitions, provenance: stateProvenance } = state;
      const isOnlyState = stateOf(resource, undefined) === state;
      const id = `lifecycles/${resource.name}${isOnlyState ? "" : `.${name}`}`;
      const provenance = weakestProvenance(resource.provenance ?? "specification", stateProvenance);
      const title = `the lifecycle of a ${resource.name}${isOnlyState ? "" : `'s ${name}`}`;
      const holder = makeTopLevelElement(id, "lifecycle", title, {
        provenance,
        subject: resource.name,
        facts: { initial: lifecycle.initial, succeeds: successValues },
      });
      const steps = Object.entries(lifecycle.transitions).flatMap(([from, next]) =>
        next.map((to) => {
          const markedStep = markedTransitions.find((step) => step.from === from && step.to === to);
          return makeElement(id, `${from} to ${to}`, "step", `the step from \`${from}\` to \`${to}\``, {
            provenance: weakestProvenance(provenance, markedStep?.provenance),
            facts: {},
            subject: resource.name,
          });
        }),
      );
      return [holder, ...steps];
    }),
  );
}

interface ElementDetails {
  readonly provenance: Provenance;
  readonly facts: Facts;
  readonly editions?: readonly Edition[];
  readonly subject?: string;
}

function makeElement(parent: string, key: string, kind: Kind, name: string, details: ElementDetails): Element {
  const { provenance, facts, editions = allEditions, subject = parent } = details;
  return {
    id: `${parent}/${key}`,
    parent,
    subject,
    kind,
    name,
    direction: "response",
    editions,
    provenance,
    facts,
    keywords: {},
    texts: [],
  };
}

function makeTopLevelElement(id: string, kind: Kind, name: string, details: ElementDetails): Element {
  return { ...makeElement("", "", kind, name, details), id };
}
