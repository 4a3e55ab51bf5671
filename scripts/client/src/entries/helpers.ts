/**
 * The entry point `partner-wallet-api/helpers`: waiting for a final state, results of statuses, histories, sums, middleware and stored
 * events.
 */
import { lifecycles, type WaitableOperation } from "../../../../generated/client/lifecycles.ts";
import * as table from "../../../../generated/client/operation-table.ts";
import type * as operations from "../../../../generated/client/operations.ts";
import * as statuses from "../../../../generated/client/statuses.ts";
import { type HistoryOptions, type MonthOfHistory, readHistory } from "../helpers/history.ts";
import { resultOf, type StatusResult } from "../helpers/statuses.ts";
import { pollUntilFinal, type Waited, type WaitOptions } from "../helpers/waiting.ts";
import type { Client } from "../state/client.ts";

export type { WaitableOperation } from "../../../../generated/client/lifecycles.ts";
export { sumDecimals } from "../exact/decimal.ts";
export type { HistoryOptions, Month, MonthOfHistory } from "../helpers/history.ts";
export { use } from "../helpers/middleware.ts";
export type { StatusResult } from "../helpers/statuses.ts";
export type { Waited, WaitOptions } from "../helpers/waiting.ts";
export type { Middleware, MiddlewareCall, MiddlewareResult } from "../state/client.ts";
export { parseEvent } from "./events.ts";

/**
 * Polls an operation until its resource is in a final state, which can be a failure. Final states come from the lifecycles of the contract,
 * some of which are assumptions; an unlisted status is not final. Pauses grow. A failed call is repeated unless it cannot be sent or was
 * refused; a 429 is repeated, and a 404 during `notFoundMs`. A pause is at least as long as `Retry-After` demands, within the limit. The
 * state is the field `status` of the response (`attemptStatus` for `getKycStatus`).
 *
 * @param operationId the operation, such as "getTransferDetails".
 * @param options the options of the operation, such as its `path`.
 * @param limits how long to wait. Default: two minutes.
 * @returns a promise of the last result, and of how the wait ended. A failed call does not reject the promise. The promise rejects with a
 * TypeError when `client` is not a client, the operation has no final states, or `limits` has an unknown option or a malformed time.
 */
export async function waitUntilFinal<Name extends WaitableOperation>(
  client: Name extends operations.LatestOperationName ? Client : Client<"test">,
  operationId: Name,
  options: operations.OperationOptions[Name],
  limits: WaitOptions = {},
): Promise<Waited<operations.OperationResults[Name]>> {
  return pollUntilFinal(
    client,
    find("operation with final states", lifecycles, operationId),
    options ?? {},
    limits ?? {},
  );
}

/** A record of the transaction history of a user or of the partner. */
export type HistoryRecord = operations.GetUserTransactionHistoryData[number];

/**
 * The history of a user, by {@link operations.getUserTransactionHistory getUserTransactionHistory}. Yields the months in order, the
 * earliest first. A record that appears in two months is taken from the later one, so all months are read before the first is yielded. The
 * service returns only recent months (specification, Limits). When a month cannot be read, the iteration throws the PartnerApiError of the
 * call. When a month is malformed, or `from` is after `to`, it throws a TypeError.
 */
export function historyMonths(
  client: Client,
  options: HistoryOptions<operations.GetUserTransactionHistoryOptions["path"]>,
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined>;
/**
 * The history of the partner, by {@link operations.getPartnerTransactionHistory getPartnerTransactionHistory}. Months and errors are the
 * same as in the history of a user.
 */
export function historyMonths(
  client: Client<"test">,
  options: HistoryOptions<operations.GetPartnerTransactionHistoryOptions["path"]>,
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined>;
export function historyMonths(
  client: Client,
  options: HistoryOptions<{ externalUserId?: string }>,
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined> {
  const historyOperations = { ofUser: table.getUserTransactionHistory, ofPartner: table.getPartnerTransactionHistory };
  return readHistory(client, historyOperations, options);
}

/**
 * Returns the result of a resource, from its status: `succeeded` or `failed` for a final status that the contract lists; `open` for a
 * status that is not final, not listed or missing. Look up a resource whose result is `open`.
 *
 * @param resource the name of a resource, such as "transfer" or "cryptoDeposit"; "transaction" for the records of a history.
 * @param status the status of an event, of details or of a record.
 * @example statusResult("transfer", event.status)
 */
export function statusResult(resource: keyof typeof statuses, status: string | null | undefined): StatusResult {
  return resultOf(find("resource", statuses, resource), status);
}

function find<Table extends object, Name extends keyof Table>(kind: string, table: Table, name: Name): Table[Name] {
  if (Object.hasOwn(table, name)) return table[name];
  throw new TypeError(`There is no ${kind} "${String(name)}". There are ${Object.keys(table).join(", ")}.`);
}
