import { ControlError } from "../checks/error.ts";
import type { EffectOverrides } from "../kernel/world.ts";
import type { Fault } from "../plan/control.ts";
import { hasFailed, type Plan, type PlanOperation } from "../plan/plan.ts";

interface Ending {
  readonly resource: string;
  readonly event: string;
  readonly statuses: readonly string[];
  readonly takesReason: boolean;
}

type PlanPart = Pick<Plan, "resources" | "assumptions">;

/** Undefined if no external event ends the resource, or the assumed `delays` have no entry for it. */
export function endingOf({ resources, assumptions }: PlanPart, resource: string): Ending | undefined {
  const definition = resources[resource];
  if (definition === undefined || !Object.hasOwn(assumptions.delays, resource)) return undefined;
  const { final = [] } = definition.states.status ?? {};
  const events = Object.entries(definition.externalEvents);
  const endingEvent = events.find(
    ([, { moves, to }]) => moves === resource && to.every((value) => final.includes(value)),
  );
  return (
    endingEvent && {
      resource,
      event: endingEvent[0],
      statuses: endingEvent[1].to,
      takesReason: endingEvent[1].takes.includes("reason"),
    }
  );
}

export function forcedEndOf(
  plan: PlanPart,
  operations: readonly PlanOperation[],
  { operation: operationId, ends, reason }: Fault,
): EffectOverrides["ends"] {
  if (ends === undefined) {
    if (reason === undefined) return undefined;
    throw new ControlError("reason applies to failures only: give ends as well.");
  }
  const endingsOf = ({ creates }: PlanOperation) => creates.flatMap((resource) => endingOf(plan, resource) ?? []);
  const ending = operations.filter((candidate) => candidate.operationId === operationId).flatMap(endingsOf)[0];
  if (ending === undefined) {
    const possibleIds = operations
      .filter((candidate) => endingsOf(candidate).length > 0)
      .map((item) => item.operationId);
    throw new ControlError(
      `ends needs an operation that creates a resource with a final status. Possible are ${possibleIds.sort().join(", ")}.`,
    );
  }
  const { resource, event, statuses, takesReason } = ending;
  if (!statuses.includes(ends))
    throw new ControlError(`ends must be one of ${statuses.join(", ")} for ${operationId}.`);
  if (reason !== undefined && !takesReason) {
    throw new ControlError(`reason: the event ${event} of the resource ${resource} has no reason.`);
  }
  if (reason !== undefined && !hasFailed(plan, resource, ends))
    throw new ControlError(`reason applies to failures only, not to ${ends}.`);
  return { resource, status: ends, reason };
}
