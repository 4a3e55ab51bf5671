import type { MockWorld } from "../behaviours/behaviour.ts";
import type { PlanOperation } from "../plan/plan.ts";
import { executeCall } from "../tenants/act.ts";

/**
 * Calls the GET operations; an operation with an identifier in its path, for each resource that has such an identifier. The calls can
 * change the world, so the caller must pass a temporary copy.
 *
 * @returns the first failure, which shows that the state is invalid.
 */
export function problemOfReads(world: MockWorld): string | undefined {
  const months = monthsOf(world);
  for (const operation of world.plan.operations) {
    if (operation.method !== "GET") continue;
    for (const path of pathsOf(operation, world, months)) {
      const problem = callProblem(world, operation, path);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function callProblem(world: MockWorld, operation: PlanOperation, path: Record<string, string>): string | undefined {
  const queryParameters = operation.parameters.filter(
    ({ in: location, example }) => location === "query" && example !== undefined,
  );
  const query = Object.fromEntries(queryParameters.map(({ name, example }) => [name, path[name] ?? String(example)]));
  try {
    executeCall(world, { operation, path, query, body: undefined, amounts: {}, files: {} });
    return undefined;
  } catch (error) {
    const subject = Object.values(path).join(" ");
    return `${operation.operationId}${subject === "" ? "" : ` of ${subject}`} fails: ${(error as Error).message}`;
  }
}

interface Month {
  readonly month: string;
  readonly year: string;
}

function monthsOf(world: MockWorld): Month[] {
  const { entities } = world.records.dump();
  const months = new Set(entities.map(({ createdAt }) => new Date(createdAt).toISOString().slice(0, 7)));
  return [...months].map((month) => ({ month: month.slice(5), year: month.slice(0, 4) }));
}

function pathsOf({ parameters }: PlanOperation, world: MockWorld, months: readonly Month[]): Record<string, string>[] {
  const pathParameters = parameters.filter((parameter) => parameter.in === "path");
  const examples = Object.fromEntries(pathParameters.map(({ name, example }) => [name, String(example)]));
  const idName = Object.keys(examples).find((name) => name !== "month" && name !== "year");
  const resources = Object.values(world.plan.resources).filter(({ id }) => id === idName);
  const ids = new Set(resources.flatMap(({ name }) => world.records.listAny(name).map(({ id }) => id)));
  const paths = idName === undefined ? [examples] : [...ids].map((id) => ({ ...examples, [idName]: id }));
  return "month" in examples ? paths.flatMap((path) => months.map((month) => ({ ...path, ...month }))) : paths;
}
