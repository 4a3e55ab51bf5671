/** Calls of the prover itself, which prepare a world. */
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
