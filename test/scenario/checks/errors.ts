/** Examples of errors are no part of the story, but must fit into it: their users, their times and their causes. */
import { isCode } from "../../../scripts/contract/index.ts";
import { userConditions } from "../conditions.ts";
import type { Facts } from "../facts.ts";
import { replay } from "../replay.ts";
import { fieldOf, leavesOf, type Moment } from "../story.ts";

/** The problems of error examples. */
export function errors(facts: Facts): string[] {
  const { timeline } = facts.scenario;
  const [first = "", last = ""] = [timeline[0]?.at.slice(0, 10), timeline.at(-1)?.at.slice(0, 10)];
  const cast = new Set(leavesOf(facts.scenario.cast).map(({ value }) => String(value)));
  return errorExamples(facts).flatMap(({ where, code, value }) => {
    const timestamp = String(fieldOf(value, "timestamp"));
    const day = timestamp.slice(0, 10);
    const problems = day >= first && day <= last ? [] : [`${where}: ${timestamp} is not within the story`];
    const users = String(fieldOf(value, "errorMessage")).match(/\buser-\d+\b/g) ?? [];
    for (const user of users) {
      if (!cast.has(user)) problems.push(`${where}: ${user} is not in the cast`);
      if (contradicts(facts, code, user, timestamp))
        problems.push(`${where}: at ${timestamp}, ${user} is in no state for ${code}`);
    }
    return problems;
  });
}

/** Whether a user fulfils, at that time, the condition whose code the example shows. */
function contradicts(facts: Facts, code: string, user: string, timestamp: string): boolean {
  const conditions = Object.entries(facts.conditions).filter(([, condition]) => condition.code === code);
  const judged = conditions.flatMap(([name]) => userConditions[name] ?? []);
  if (judged.length === 0) return false;
  const { world } = replay(facts, timestamp);
  return judged.every((holds) => holds(world, user, {} as Moment));
}

function errorExamples({ operations }: Facts): { where: string; code: string; value: unknown }[] {
  return Object.entries(operations).flatMap(([name, { answers }]) =>
    Object.entries(answers).flatMap(([status, examples]) =>
      Object.entries(examples)
        .filter(([code]) => isCode(code))
        .map(([code, value]) => ({ where: `${name} ${status} ${code}`, code, value })),
    ),
  );
}
