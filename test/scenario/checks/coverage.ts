/** Every example is told in the timeline or stands under asides, and every step names examples that there are. */
import { isCode } from "../../../scripts/contract/index.ts";
import type { Examples, Facts } from "../facts.ts";

/** The problems of the plan itself. */
export function coverage(facts: Facts): string[] {
  return [...untold(facts), ...wrongSteps(facts), ...wrongAsides(facts)];
}

/** An example that the story has to tell. */
interface Told {
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

/** All examples but those of errors, which are no part of the story. */
function examplesToTell({ operations, webhooks }: Facts): Told[] {
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

function wrongSteps({ scenario, operations, webhooks, resources }: Facts): string[] {
  return scenario.timeline.flatMap((step, index) => {
    const { operation, webhook, happens, resource, id, request, status, example, answer, body } = step;
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
    const outside = resources[resource ?? ""]?.outside ?? {};
    if (happens === undefined || !(happens in outside))
      return problem(`nothing called ${happens} happens to ${resource}`);
    return id === undefined ? problem(`${happens} does not say to which ${resource}`) : [];
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
