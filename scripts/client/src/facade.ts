import * as table from "../../../generated/client/operation-table.ts";
import type { LatestOperationName, OperationOptions } from "../../../generated/client/operations.ts";
import { call } from "./call.ts";
import { type Client, stateOf } from "./client.ts";
import type { Explanation } from "./explain.ts";
import { isIn, type Operation, operationIn } from "./operation.ts";
import { prepareCall } from "./request.ts";
import { InvalidRequest } from "./serialize.ts";
import type { CommonOptions } from "./types.ts";

export function makeFacade<Facade>(client: Client): Facade {
  const { edition } = stateOf(client).options;
  const functions = Object.values<Operation>(table)
    .filter((operation) => isIn(edition, operation))
    .map((operation) => [operation.id, (options?: object) => call(client, operation, options)]);
  const explainOwn = (operationId: never, options?: never) => explain(client as never, operationId, options);
  return Object.assign(client, Object.fromEntries(functions), { explain: explainOwn }) as Facade;
}

/**
 * Describes a call without making it: the request as a curl command without sensitive values, and the documented responses. Importing this
 * function adds the table of all operations to a bundle; its other code is loaded for the first use.
 *
 * @param options the `path`, `query` and `body` of the call.
 * @returns a promise that rejects with a TypeError when the client has no such operation, or the call cannot be sent.
 */
export async function explain<Name extends keyof OperationOptions>(
  client: Name extends LatestOperationName ? Client : Client<"test">,
  operationId: Name,
  options: Omit<OperationOptions[Name], keyof CommonOptions> = {} as OperationOptions[Name],
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
