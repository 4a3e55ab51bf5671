import { isCode } from "../../../scripts/contract/model/index.ts";
import { examplesOf, type Facts, fieldOf, stepsWithBodies, textsOf } from "./facts.ts";

export const checks: Record<string, (facts: Facts) => string[]> = {
  "every example is a step, or an aside with a reason": unlistedExamples,
  "steps follow each other in time": orderProblems,
  "asides and IBANs name what the scenario has": unknownIdentifiers,
  "dedupe keys tell events apart": repeatedDedupeKeys,
  "examples of errors fit into the scenario": foreignErrors,
};

function unlistedExamples(facts: Facts): string[] {
  return [...unusedExamples(facts), ...wrongAsides(facts)];
}

/** Every example, except an error example, must be a step of the scenario or listed in `asides`. */
function unusedExamples({ contract, scenario }: Facts): string[] {
  const examplesInSteps = new Set(
    scenario.timeline.flatMap(({ operation, webhook, request, status, example }) => [
      `${operation} request ${request}`,
      `${operation} ${status} ${example}`,
      `${webhook} request ${example}`,
    ]),
  );
  return [...contract.operations, ...contract.webhooks].flatMap(({ kind, name, requestBody, responses }) => {
    const request = requestBody === undefined ? [] : [{ key: "request", bodies: requestBody.bodies }];
    const successes = kind === "webhook" ? [] : responses.filter(({ status }) => status < 400);
    const examples = [...request, ...successes].flatMap(({ key, bodies }) =>
      bodies.flatMap((body) => body.examples.map((example) => ({ key, example: example.name }))),
    );
    return examples.flatMap(({ key, example }) => {
      const label = `${name} ${key} ${example}`;
      const isAside = scenario.asides.some(
        (aside) => (aside.operation ?? aside.webhook) === name && aside.example === example,
      );
      if (examplesInSteps.has(label) && isAside) return [`${label} is a step, and listed under asides as well`];
      return examplesInSteps.has(label) || isAside || isCode(example)
        ? []
        : [`${label} is neither a step nor an aside of openapi/scenario.yaml`];
    });
  });
}

function wrongAsides(facts: Facts): string[] {
  return facts.scenario.asides.flatMap(({ operation, webhook, example, reason }) => {
    const name = operation ?? webhook;
    if (!examplesOf(facts, name).some((candidate) => candidate.name === example))
      return [`${name} ${example} is no example`];
    return (reason ?? "").length < 10 ? [`The aside ${name} ${example} gives no reason`] : [];
  });
}

function orderProblems(facts: Facts): string[] {
  const steps = stepsWithBodies(facts);
  return steps.flatMap(({ at, label }, index) => {
    if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(at)) return [`${label}: ${at} is no time in UTC`];
    return (steps[index - 1]?.at ?? at) > at ? [`${label} is at ${at}, before the step that it follows`] : [];
  });
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ibanPattern = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** The UUIDs in asides that no step contains, and the IBANs in steps that belong to nobody in the cast. */
function unknownIdentifiers(facts: Facts): string[] {
  const { scenario } = facts;
  const shownTexts = stepsWithBodies(facts).flatMap(({ body, receivedBody }) => [
    ...textsOf(body),
    ...textsOf(receivedBody),
  ]);
  const knownTexts = new Set([...shownTexts, ...scenario.timeline.map(({ id }) => id)]);
  const asides = scenario.asides.flatMap(({ operation, webhook, example }) =>
    examplesOf(facts, operation ?? webhook).flatMap(({ name, value }) => (name === example ? textsOf(value) : [])),
  );
  const cast = new Set(textsOf(scenario.cast));
  return [
    ...asides
      .filter((text) => uuidPattern.test(text) && !knownTexts.has(text))
      .map((text) => `asides: no step shows ${text}`),
    ...shownTexts
      .filter((text) => ibanPattern.test(text) && !cast.has(text))
      .map((text) => `the IBAN ${text} is nobody's`),
  ];
}

function repeatedDedupeKeys(facts: Facts): string[] {
  const firstLabels = new Map<string, string>();
  return stepsWithBodies(facts).flatMap(({ webhook, label, receivedBody }) => {
    const { dedupeKey: key = [] } = facts.contract.webhooks.find(({ name }) => name === webhook) ?? {};
    if (key.length === 0) return [];
    const values = JSON.stringify([webhook, ...key.map((field) => fieldOf(receivedBody, field))]);
    const firstLabel = firstLabels.get(values);
    firstLabels.set(values, firstLabel ?? label);
    return firstLabel === undefined ? [] : [`${label} has the dedupe key of ${firstLabel}: ${values}`];
  });
}

/** Error examples need not be steps, but must use times and users of the scenario. */
function foreignErrors(facts: Facts): string[] {
  const { contract, scenario } = facts;
  const [first = "", last = ""] = [scenario.timeline[0]?.at.slice(0, 10), scenario.timeline.at(-1)?.at.slice(0, 10)];
  const cast = new Set(textsOf(scenario.cast));
  return contract.operations.flatMap(({ name: operation }) =>
    examplesOf(facts, operation)
      .filter(({ name }) => isCode(name))
      .flatMap(({ name, value }) => {
        const timestamp = String(fieldOf(value, "timestamp"));
        const day = timestamp.slice(0, 10);
        const users = String(fieldOf(value, "errorMessage")).match(/\buser-\d+\b/g) ?? [];
        return [
          ...(day >= first && day <= last ? [] : [`${operation} ${name}: ${timestamp} is not within the scenario`]),
          ...users.filter((user) => !cast.has(user)).map((user) => `${operation} ${name}: ${user} is not in the cast`),
        ];
      }),
  );
}
