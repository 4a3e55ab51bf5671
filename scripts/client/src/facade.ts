/** Makes the client object with one function for each operation. */
import { call } from "./call.ts";
import { type Client, stateOf } from "./client.ts";
import type { Explanation } from "./explain.ts";
import { type OperationTable, operationIn } from "./operation.ts";
import { prepareCall } from "./request.ts";
import { InvalidRequest } from "./serialize.ts";

/**
 * Adds `explain` and one function for each operation of the edition to a client.
 *
 * @typeParam Facade the generated interface.
 * @param table every operation.
 */
export function makeFacade<Facade>(client: Client, table: OperationTable): Facade {
  const { edition } = stateOf(client).options;
  const functions = Object.values(table)
    .filter((operation) => operation.edition === undefined || operation.edition === edition)
    .map((operation) => [operation.id, (options?: object) => call(client, operation, options)]);
  const explainOwn = (operationId: string, options?: object) => explain(client, table, operationId, options);
  return Object.assign(client, Object.fromEntries(functions), { explain: explainOwn }) as Facade;
}

/**
 * Describes a call without sending it. The code is loaded for the first use.
 *
 * @param table every operation.
 * @param options the `path`, `query` and `body` of the call.
 * @throws {TypeError} when the client has no such operation, or the call cannot be sent.
 */
export async function explain(
  client: Client,
  table: OperationTable,
  operationId: string,
  options: object = {},
): Promise<Explanation> {
  const state = stateOf(client);
  const operation = operationIn(table, operationId);
  const [{ explainCall }, texts] = await Promise.all([import("./explain.ts"), state.contract.errorTexts()]);
  try {
    return await explainCall(state, texts, operation, options, (...call) => prepareCall(state, ...call));
  } catch (error) {
    if (error instanceof InvalidRequest) throw new TypeError(`${operationId}: ${texts.textOf(error.problem)}`);
    throw error;
  }
}
