/** What no run of the mock shows: each check returns what is wrong with the scenario, nothing when it holds. */
import { isCode } from "../../scripts/contract/index.ts";
import type { Examples, Facts } from "./facts.ts";
import { fieldOf, momentsOf, textsOf } from "./moments.ts";

export const checks: Record<string, (facts: Facts) => string[]> = {
  "every example is a step, or an aside with a reason": coverage,
  "steps follow each other in time": order,
  "asides and IBANs name what the scenario has": names,
  "dedupe keys tell events apart": dedupeKeys,
  "examples of errors fit into the scenario": errors,
};

function coverage(facts: Facts): string[] {
  return [...untold(facts), ...wrongSteps(facts), ...wrongAsides(facts)];
}

/** An example that has to be a step. */
interface Shown {
  /** `createOrder answer 201` */
  where: string;
  subject: string;
  example: string;
}

function untold(facts: Facts): string[] {
  const { timeline, asides } = facts.scenario;
  const told = new Set(
    timeline.flatMap(({ operation, webhook, request, status, example }) => [
      `${operation} request ${request}`,
      `${operation} answer ${status} ${example}`,
      `${webhook} event ${example}`,
    ]),
  );
  return examplesToTell(facts).flatMap(({ where, subject, example }) => {
    const isTold = told.has(`${where} ${example}`);
    const isAside = asides.some((aside) => (aside.operation ?? aside.webhook) === subject && aside.example === example);
    if (isTold && isAside) return [`${where} ${example} is told, but stands under asides as well`];
    return isTold || isAside ? [] : [`${where} ${example} is neither told nor an aside`];
  });
}

/** All examples but those of errors, which are no steps. */
function examplesToTell({ operations, webhooks }: Facts): Shown[] {
  const entries = (where: string, subject: string, examples: Examples) =>
    Object.keys(examples).map((example) => ({ where, subject, example }));
  return [
    ...Object.entries(operations).flatMap(([name, { requests, answers }]) => [
      ...entries(`${name} request`, name, requests),
      ...Object.entries(answers)
        .filter(([status]) => Number(status) < 400)
        .flatMap(([status, examples]) => entries(`${name} answer ${status}`, name, examples))
        .filter(({ example }) => !isCode(example)),
    ]),
    ...Object.entries(webhooks).flatMap(([name, { events }]) => entries(`${name} event`, name, events)),
  ];
}

function wrongSteps({ scenario, operations, webhooks, externalEvents }: Facts): string[] {
  return scenario.timeline.flatMap((step, index) => {
    const { operation, webhook, event, resource, id, request, status, example, answer, body } = step;
    const problem = (text: string) => [`timeline ${index + 1}: ${text}`];
    if (operation !== undefined) {
      const facts = operations[operation];
      if (facts === undefined) return problem(`there is no operation ${operation}`);
      if (request !== undefined && !(request in facts.requests)) return problem(`no request ${request}`);
      if (answer === undefined && !(String(example) in (facts.answers[String(status)] ?? {}))) {
        return problem(`${operation} has no example ${example} of ${status}`);
      }
      return [];
    }
    if (webhook !== undefined) {
      const facts = webhooks[webhook];
      if (facts === undefined) return problem(`there is no webhook ${webhook}`);
      const isThere = body !== undefined || String(example) in facts.events;
      return isThere ? [] : problem(`${webhook} has no example ${example}`);
    }
    if (event === undefined || externalEvents[resource ?? ""]?.includes(event) !== true)
      return problem(`${resource} has no external event ${event}`);
    return id === undefined ? problem(`${event} does not say to which ${resource}`) : [];
  });
}

function wrongAsides({ scenario, operations, webhooks }: Facts): string[] {
  return scenario.asides.flatMap(({ operation, webhook, example, reason }) => {
    const { requests = {}, answers = {} } = operations[operation ?? ""] ?? {};
    const all = [requests, ...Object.values(answers), webhooks[webhook ?? ""]?.events ?? {}];
    const name = operation ?? webhook;
    if (!all.some((examples) => example in examples)) return [`The aside ${name} ${example} is no example`];
    return (reason ?? "").length < 10 ? [`The aside ${name} ${example} gives no reason`] : [];
  });
}

function order(facts: Facts): string[] {
  const moments = momentsOf(facts);
  return moments.flatMap(({ at, label }, index) => {
    if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(at)) return [`${label}: ${at} is no time in UTC`];
    return (moments[index - 1]?.at ?? at) > at ? [`${label} is at ${at}, before the step that it follows`] : [];
  });
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** Examples beside the steps have identifiers of the steps, and every IBAN is somebody's. */
function names(facts: Facts): string[] {
  const { scenario, operations, webhooks } = facts;
  const shown = momentsOf(facts).flatMap(({ sent, received }) => [...textsOf(sent), ...textsOf(received)]);
  const known = new Set([...shown, ...scenario.timeline.map(({ id }) => id)]);
  const asides = scenario.asides.flatMap(({ operation = "", webhook = "", example }) => {
    const { requests = {}, answers = {} } = operations[operation] ?? {};
    const all = [requests, ...Object.values(answers), webhooks[webhook]?.events ?? {}];
    return all.flatMap((examples) => textsOf(examples[example]));
  });
  const cast = new Set(textsOf(scenario.cast));
  return [
    ...asides.filter((text) => uuid.test(text) && !known.has(text)).map((text) => `asides: no step shows ${text}`),
    ...shown.filter((text) => iban.test(text) && !cast.has(text)).map((text) => `the IBAN ${text} is nobody's`),
  ];
}

/** No two events have the same dedupe key. */
function dedupeKeys(facts: Facts): string[] {
  const first = new Map<string, string>();
  return momentsOf(facts).flatMap(({ webhook = "", label, received }) => {
    const key = facts.webhooks[webhook]?.dedupeKey ?? [];
    if (key.length === 0) return [];
    const values = JSON.stringify([webhook, ...key.map((field) => fieldOf(received, field))]);
    const before = first.get(values);
    first.set(values, before ?? label);
    return before === undefined ? [] : [`${label} has the dedupe key of ${before}: ${values}`];
  });
}

/** Examples of errors are no steps, but their times and users are those of the scenario. */
function errors({ scenario, operations }: Facts): string[] {
  const [first = "", last = ""] = [scenario.timeline[0]?.at.slice(0, 10), scenario.timeline.at(-1)?.at.slice(0, 10)];
  const cast = new Set(textsOf(scenario.cast));
  const examples = Object.entries(operations).flatMap(([name, { answers }]) =>
    Object.values(answers).flatMap((byName) =>
      Object.entries(byName).flatMap(([code, value]) => (isCode(code) ? [{ where: `${name} ${code}`, value }] : [])),
    ),
  );
  return examples.flatMap(({ where, value }) => {
    const timestamp = String(fieldOf(value, "timestamp"));
    const day = timestamp.slice(0, 10);
    const users = String(fieldOf(value, "errorMessage")).match(/\buser-\d+\b/g) ?? [];
    return [
      ...(day >= first && day <= last ? [] : [`${where}: ${timestamp} is not within the scenario`]),
      ...users.filter((user) => !cast.has(user)).map((user) => `${where}: ${user} is not in the cast`),
    ];
  });
}
