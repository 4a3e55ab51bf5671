/** The story is possible by the machine data of the contract. */
import { notShown, predicates } from "../conditions.ts";
import type { Facts } from "../facts.ts";
import { type Kind, replay } from "../replay.ts";
import { fieldOf, momentsOf } from "../story.ts";

/** What an operation requires holds whenever it succeeds. */
export function preconditions(facts: Facts): string[] {
  const known = [...Object.keys(predicates), ...Object.keys(notShown)];
  const undecided = Object.keys(facts.conditions).filter((condition) => !known.includes(condition));
  return [
    ...undecided.map((condition) => `test/scenario/conditions.ts does not decide on ${condition}`),
    ...of("precondition", facts),
  ];
}

/** States change as their lifecycles say. */
export function moves(facts: Facts): string[] {
  return of("move", facts);
}

/** Events are sent after the states that their x-event names. */
export function events(facts: Facts): string[] {
  return of("event", facts);
}

/** No two events have the same dedupe key. */
export function dedupeKeys(facts: Facts): string[] {
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

function of(kind: Kind, facts: Facts): string[] {
  return replay(facts).problems.flatMap((problem) => (problem.kind === kind ? [problem.text] : []));
}
