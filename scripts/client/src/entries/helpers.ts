/** Functions built on single calls: `partner-wallet-api/helpers`. */
import { lifecycles, type WaitableOperation } from "../../../../generated/client/lifecycles.ts";
import * as table from "../../../../generated/client/operation-table.ts";
import type * as operations from "../../../../generated/client/operations.ts";
import type { Client } from "../client.ts";
import {
  historyMonthsWith,
  type Month,
  type MonthOfHistory,
  type Waited,
  type WaitOptions,
  waitUntilFinalWith,
} from "../helpers.ts";
import type { CommonOptions } from "../types.ts";

export type { WaitableOperation } from "../../../../generated/client/lifecycles.ts";
export type { MiddlewareCall, MiddlewareResult } from "../client.ts";
export {
  type Middleware,
  type Month,
  type MonthOfHistory,
  sumDecimals,
  use,
  type Waited,
  type WaitOptions,
} from "../helpers.ts";
export { parseEvent } from "./webhooks.ts";

/**
 * Polls an operation until its resource is in a final state. Final states come from the lifecycles of the contract, some of which are
 * assumptions; an unlisted status is not final. The pauses grow, and temporary failures are retried. The state is read from the field
 * `status` (`attemptStatus` for `getKycStatus`). A final state can be a failure.
 *
 * @param operationId the operation, such as "getTransferDetails".
 * @param options the options of the operation, such as its `path`.
 * @param limits how long to wait. Default: two minutes.
 * @returns a promise of the reason why the wait ended, and of the last result. It never rejects.
 * @throws {TypeError} when `client` is not a client.
 */
export function waitUntilFinal<Name extends WaitableOperation>(
  client: Name extends operations.LatestOperationName ? Client : Client<"test">,
  operationId: Name,
  options: operations.OperationOptions[Name],
  limits?: WaitOptions,
): Promise<Waited<operations.OperationResults[Name]>> {
  return waitUntilFinalWith(client, lifecycles[operationId], options, limits);
}

/** A record of a history. */
export type HistoryRecord = operations.GetUserTransactionHistoryData[number];

/** The options of a history: its path parameters, with `from` and `to` in place of the month, and the options of every call. */
export type HistoryOptions<Path> = CommonOptions & Omit<Path, "month" | "year"> & { from: Month; to: Month };

/**
 * The history of a user, by {@link operations.getUserTransactionHistory getUserTransactionHistory}. Yields the months in order, the
 * earliest first. A record that appears in two months is taken from the later one, so all months are read before the first is yielded. The
 * service keeps the last months only. When a month cannot be read, the iteration throws its PartnerApiError. A wrong month is a TypeError.
 */
export function historyMonths(
  client: Client,
  options: HistoryOptions<operations.GetUserTransactionHistoryOptions["path"]>,
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined>;
/** The same for the partner's own history, by {@link operations.getPartnerTransactionHistory getPartnerTransactionHistory}. */
export function historyMonths(
  client: Client<"test">,
  options: HistoryOptions<operations.GetPartnerTransactionHistoryOptions["path"]>,
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined>;
export function historyMonths(
  client: Client,
  given: CommonOptions & { from: Month; to: Month; externalUserId?: string },
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined> {
  const { from, to, externalUserId, ...options } = given;
  // `externalUserId: undefined` is an error, and does not select the partner's history.
  const isOfUser = "externalUserId" in given;
  const operation = isOfUser ? table.getUserTransactionHistory : table.getPartnerTransactionHistory;
  return historyMonthsWith(client, operation, isOfUser ? { externalUserId } : {}, { from, to }, options);
}
