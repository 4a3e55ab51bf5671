/** What programs do on top of single calls: `partner-wallet-api/helpers`. */
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
 * Calls an operation until the resource that it shows is in a final state, by the lifecycles of the contract, which are assumed
 * where nobody has stated them. A status that the contract does not know is not taken for a final one. The calls are reads, with
 * a growing pause in between; those that fail for a passing reason are repeated. The state is the `status` of the response, of
 * `getKycStatus` the `attemptStatus`; a final one can be a failure.
 *
 * @param operationId the operation, such as "getTransferDetails".
 * @param options the options of the operation, such as its `path`.
 * @param limits how long to wait: two minutes unless told otherwise.
 * @returns a promise of how the waiting ended and of the last result. It does not reject.
 * @throws {TypeError} when the client is none.
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

/** The months of a history, and of whom: what its path has besides. The other options are those of every call. */
export type HistoryOptions<Path> = CommonOptions & Omit<Path, "month" | "year"> & { from: Month; to: Month };

/**
 * The history of a user, by {@link operations.getUserTransactionHistory getUserTransactionHistory}. The months come one after the
 * other, the earliest first; of a record that two months have, the copy of the later one counts, so that all months are read
 * before the first is returned. The service answers for the last months only. When a month cannot be read, the iteration throws
 * its PartnerApiError. A wrong month is a TypeError.
 */
export function historyMonths(
  client: Client,
  options: HistoryOptions<operations.GetUserTransactionHistoryOptions["path"]>,
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined>;
/** The same of the partner, by {@link operations.getPartnerTransactionHistory getPartnerTransactionHistory}. */
export function historyMonths(
  client: Client<"test">,
  options: HistoryOptions<operations.GetPartnerTransactionHistoryOptions["path"]>,
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined>;
export function historyMonths(
  client: Client,
  given: CommonOptions & { from: Month; to: Month; externalUserId?: string },
): AsyncGenerator<MonthOfHistory<HistoryRecord>, void, undefined> {
  const { from, to, externalUserId, ...options } = given;
  // A user that is undefined is refused, and not taken for the partner.
  const isOfUser = "externalUserId" in given;
  const operation = isOfUser ? table.getUserTransactionHistory : table.getPartnerTransactionHistory;
  return historyMonthsWith(client, operation, isOfUser ? { externalUserId } : {}, { from, to }, options);
}
