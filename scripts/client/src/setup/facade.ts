import { findOperation, isInEdition, type OperationTable } from "../base/operation.ts";
import { loadErrorTexts } from "../call/failures.ts";
import { prepareCall, type UntypedCall } from "../call/request.ts";
import { type Client, stateOf } from "../state/client.ts";
import type { Explanation } from "./explain.ts";

/** The client gets a function for each operation of its edition, and `explain`. */
export function makeFacade<Facade>(client: Client, table: OperationTable): Facade {
  const functions = Object.values(table)
    .filter((operation) => isInEdition(client.edition, operation))
    .map((operation) => [operation.id, (options?: object) => client["~call"](operation, options)]);
  const explainOperation = (operationId: string, options?: object) => explain(client, table, operationId, options);
  return Object.assign(client, Object.fromEntries(functions), { explain: explainOperation }) as Facade;
}

export async function explain(
  client: Client,
  table: OperationTable,
  operationId: string,
  options: UntypedCall = {},
): Promise<Explanation> {
  const state = stateOf(client);
  const operation = findOperation(table, operationId);
  const [{ describeCall }, texts] = await Promise.all([import("./explain.ts"), loadErrorTexts(state.contract)]);
  const { error } = await client["~check"](operation, options);
  if (error !== undefined) throw new TypeError(error.message);
  return describeCall(state, texts, operation, options, (...call) => prepareCall(state, ...call, 0).url);
}
