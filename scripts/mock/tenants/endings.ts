import { ControlError } from "../checks/error.ts";
import type { Demands } from "../kernel/world.ts";
import type { Fault } from "../plan/control.ts";
import { hasFailed, type Plan, type PlanOperation } from "../plan/plan.ts";

interface Ending {
  readonly resource: string;
  readonly event: string;
  readonly values: readonly string[];
  readonly takesReason: boolean;
}

type Known = Pick<Plan, "resources" | "assumptions">;

export function endingOf({ resources, assumptions }: Known, resource: string): Ending | undefined {
  const known = resources[resource];
  if (known === undefined || !Object.hasOwn(assumptions.delays, resource)) return undefined;
  const isFinal = (value: string) => (known.states.status?.transitions[value] ?? []).length === 0;
  const events = Object.entries(known.externalEvents);
  const found = events.find(([, { moves, to }]) => moves === resource && to.every(isFinal));
  return found && { resource, event: found[0], values: found[1].to, takesReason: found[1].takes.includes("reason") };
}

export function demandedEndOf(
  plan: Known,
  operations: readonly PlanOperation[],
  { operation: operationId, ends, reason }: Fault,
): Demands["ends"] {
  if (ends === undefined) {
    if (reason === undefined) return undefined;
    throw new ControlError("reason applies to failures only: give ends as well.");
  }
  const endingsOf = ({ creates }: PlanOperation) => creates.flatMap((resource) => endingOf(plan, resource) ?? []);
  const ending = operations.filter((one) => one.operationId === operationId).flatMap(endingsOf)[0];
  if (ending === undefined) {
    const possible = operations.filter((one) => endingsOf(one).length > 0).map((one) => one.operationId);
    throw new ControlError(
      `ends needs an operation that creates a resource with a final status. Possible are ${possible.sort().join(", ")}.`,
    );
  }
  const { resource, event, values, takesReason } = ending;
  if (!values.includes(ends)) throw new ControlError(`ends must be one of ${values.join(", ")} for ${operationId}.`);
  if (reason !== undefined && !takesReason) {
    throw new ControlError(`reason: the event ${event} of the resource ${resource} has no reason.`);
  }
  if (reason !== undefined && !hasFailed(plan, resource, ends))
    throw new ControlError(`reason applies to failures only, not to ${ends}.`);
  return { resource, status: ends, reason };
}
