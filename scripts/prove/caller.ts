/** Calls operations to prepare a world, and reads facts about operations from the plan. */
import type { Plan } from "../mock/plan/index.ts";
import type { CallOperation } from "./journey.ts";

/** Makes a function that calls operations of a mock with an API key. @param url of the main address. */
export function callerOf(plan: Plan, url: string, key: string): CallOperation {
  return async (operationId, body) => {
    const operation = plan.operations.find((one) => one.operationId === operationId);
    if (operation === undefined) throw new Error(`The contract has no operation ${operationId}.`);
    const headers = { [operation.keyHeader ?? ""]: key, "content-type": "application/json" };
    const { method, path } = operation;
    const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${operationId}: ${response.status} ${await response.text()}`);
  };
}

/**
 * The final status of a failure for the resource that an operation creates, such as UNSUCCESSFUL.
 *
 * @throws {Error} when no created resource ends automatically.
 */
export function failureOf({ operations, resources }: Plan, operationId: string): string {
  const created = operations.find((one) => one.operationId === operationId)?.creates ?? [];
  const events = created.flatMap((name) => Object.values(resources[name]?.externalEvents ?? {}));
  const ends = events.find(({ moves, to }) => created.includes(moves ?? "") && to.length > 1)?.to;
  // The success comes first.
  const failure = ends?.at(-1);
  if (failure === undefined) throw new Error(`${operationId} creates nothing that can fail in the end.`);
  return failure;
}
