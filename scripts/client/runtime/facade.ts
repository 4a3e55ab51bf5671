/** The object of the operations. */
import { call } from "./call.ts";
import { type Client, stateOf } from "./client.ts";
import { explainCall } from "./explain.ts";
import type { OperationTable } from "./operation.ts";
import { makeRawClient } from "./raw.ts";

/**
 * Adds one function for each operation of its edition, `explain` and `raw` to a client.
 *
 * @typeParam Facade the generated interface.
 * @param table every operation.
 */
export function makeFacade<Facade>(client: Client, table: OperationTable): Facade {
  const { edition } = stateOf(client).options;
  const functions = Object.values(table)
    .filter((operation) => operation.edition === undefined || operation.edition === edition)
    .map((operation) => [operation.id, (options?: object) => call(client, operation, options)]);
  const explain = (operationId: string, options?: object) => explainCall(client, table, operationId, options);
  return Object.assign(client, Object.fromEntries(functions), { explain, raw: makeRawClient(client, table) }) as Facade;
}
