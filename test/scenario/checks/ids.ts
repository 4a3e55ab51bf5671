/** Identifiers join: what a step carries was answered by an operation, or came into being outside, before. */
import type { Facts } from "../facts.ts";
import { isSuccess, isUserKey, type Leaf, leavesOf, type Moment, momentsOf } from "../story.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const iban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;

/** The problems of identifiers. */
export function ids(facts: Facts): string[] {
  const { scenario, operations, resources } = facts;
  const cast = new Set(leavesOf(scenario.cast).map(({ value }) => String(value)));
  const known = new Set<string>();
  const problems: string[] = [];
  for (const moment of momentsOf(facts)) {
    const { operation, happens, id, label, sent, received } = moment;
    const demand = (leaves: Leaf[]) => {
      for (const { path, value } of leaves) {
        const text = String(value);
        if (uuid.test(text) && !known.has(text)) problems.push(`${label}: nobody has answered ${text} (${path})`);
        if (iban.test(text) && !cast.has(text)) problems.push(`${label}: the IBAN ${text} (${path}) is nobody's`);
      }
    };
    if (happens !== undefined && id !== undefined) known.add(id);
    demand([...leavesOf(sent), ...leavesOf(moment.path ?? {}), ...leavesOf(moment.query ?? {})]);
    const answered = leavesOf(received);
    const effects = operations[operation ?? ""]?.effects ?? [];
    const isAnsweredFirst = ({ key }: Leaf) => freshKeys(operation, resources).includes(key);
    // A call that creates something answers its identifiers; a lookup those of the lines that only it shows.
    const isCreation =
      operation !== undefined && (effects.some(({ kind }) => kind === "creates") || isPost(moment, facts));
    demand(answered.filter((leaf) => !isCreation && !isAnsweredFirst(leaf)));
    for (const { value } of answered) known.add(String(value));
    problems.push(...users(moment, cast));
  }
  const unknown = leavesOfAsides(facts).filter(({ value }) => uuid.test(String(value)) && !known.has(String(value)));
  return [...problems, ...unknown.map(({ path, value }) => `asides: nobody has answered ${value} (${path})`)];
}

/** What the examples show that stand beside the story: identifiers of the story. */
function leavesOfAsides({ scenario, operations, webhooks }: Facts): Leaf[] {
  return scenario.asides.flatMap(({ operation = "", webhook = "", example }) => {
    const { requests = {}, answers = {} } = operations[operation] ?? {};
    const all = [requests, ...Object.values(answers), webhooks[webhook]?.events ?? {}];
    return all.flatMap((examples) => leavesOf(examples[example], "", `${operation}${webhook} ${example}`));
  });
}

/** The identifiers that a lookup is the first to show: those of resources that no operation and no webhook names. */
function freshKeys(operation: string | undefined, resources: Facts["resources"]): string[] {
  const shown = Object.values(resources).filter(
    ({ details }) => operation !== undefined && details.includes(operation),
  );
  // The identifier of a booking at the bank is no one's but the history's (interface specification, Transaction record).
  return [...shown.filter(({ id }) => id === "id").map(({ id }) => id), "btId"];
}

function isPost(moment: Moment, { operations }: Facts): boolean {
  return isSuccess(moment) && operations[moment.operation ?? ""]?.method === "post";
}

/** Users are of the cast. That they exist is a precondition. */
function users({ label, sent, received, parameters }: Moment, cast: Set<string>): string[] {
  return [sent, received, parameters]
    .flatMap((value) => leavesOf(value))
    .filter(({ key, value }) => isUserKey(key) && value !== null && value !== undefined && !cast.has(String(value)))
    .map(({ value }) => `${label}: ${value} is not in the cast`);
}
