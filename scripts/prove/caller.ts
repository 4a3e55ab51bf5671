/** What the prover knows of operations, and calls of its own that prepare a world. */
import type { Plan } from "../mock/plan/index.ts";
import type { CallOperation } from "./journey.ts";

/** Makes calls of operations to a mock with an API key. @param url of its main address. */
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
 * The status in which what an operation creates ends when it fails, such as UNSUCCESSFUL.
 *
 * @throws {Error} when nothing that the operation creates ends by itself.
 */
export function failureOf({ operations, resources }: Plan, operationId: string): string {
  const created = operations.find((one) => one.operationId === operationId)?.creates ?? [];
  const events = created.flatMap((name) => Object.values(resources[name]?.externalEvents ?? {}));
  const ends = events.find(({ moves, to }) => created.includes(moves ?? "") && to.length > 1)?.to;
  // The success stands first.
  const failure = ends?.at(-1);
  if (failure === undefined) throw new Error(`${operationId} creates nothing that can fail in the end.`);
  return failure;
}
