/** Results made from the examples of the contract, for the entry point `partner-wallet-api/testing`. */
import type { FailureCode } from "../../../../generated/client/codes.ts";
import { contract } from "../../../../generated/client/contract.ts";
import * as errorTables from "../../../../generated/client/error-texts.ts";
import * as operationTable from "../../../../generated/client/operation-table.ts";
import type { OperationResults } from "../../../../generated/client/operations.ts";
import { responseExamples as examples, type SuccessExamples } from "../../../../generated/client/response-examples.ts";
import type { ErrorCodeOf } from "../state/call-types.ts";
import { makeFailure, makeSuccess, type ResultTables } from "../testing/results.ts";
import type { FailureDetails, FailureKind } from "../testing/types.ts";

const tables: ResultTables = { contract, operationTable, errorTables, examples };

/** The operationId of an operation. */
export type OperationName = keyof OperationResults;

/** The result of an operation that succeeded. */
export type SuccessOf<Name extends OperationName> = Extract<OperationResults[Name], { error: undefined }>;

/** The result of an operation that failed. */
export type FailureOf<Name extends OperationName> = Extract<OperationResults[Name], { data: undefined }>;

/** Overrides for the success example of each operation: some fields of an object, or the whole list or page. */
export type SuccessOverrides = { readonly [Name in OperationName]: OverridesOf<SuccessOf<Name>["data"]> };

type OverridesOf<Data> = [Data] extends [string | readonly unknown[]] ? Data : Partial<Data>;

/** The P-codes that the contract documents for the failures of each operation. */
export type DocumentedCodes = { readonly [Name in OperationName]: ErrorCodeOf<FailureOf<Name>["error"]> };

/**
 * Returns a successful result made from an example of the contract. Use it as the return value of an operation's function, or in `respond`
 * of a mock.
 *
 * @example success("createTransfer", { transferId: "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63" })
 * @param overrides fields that replace fields of the example; a list or a page replaces the whole example.
 * @param options.example name of the example, if the contract has several. Default: the first.
 * @throws {TypeError} when there is no such operation or example, or the client would read the result as a failure, for example because a
 * required field is missing.
 */
export function success<Name extends OperationName>(
  operationId: Name,
  overrides?: SuccessOverrides[Name],
  options: { example?: SuccessExamples[Name] | undefined } = {},
): SuccessOf<Name> {
  return makeSuccess(tables, operationId, overrides, options.example) as unknown as SuccessOf<Name>;
}

/**
 * Returns a failed result as the client returns it. Use it as the return value of an operation's function, or in `respond` of a mock. Its
 * `error` is a PartnerApiError that can be thrown.
 *
 * - A P-code of the catalogue: with the status that the contract documents for it, and the texts of its example.
 * - `no-code`: a documented failure without a P-code. Without `status`, the first documented one: 401 Access Denied.
 * - `unknown-code`: a P-code that the catalogue does not have: P999, or the given `errorCode`.
 * - `unexpected-response`: a response that cannot be read: a gateway's page with status 502, or the given `status` and `body`.
 * - `network`: no response. `outcome` is `unknown`; `{ outcome: "not-sent" }` is a refused connection.
 * - `timeout`, `aborted`: no response, `outcome` is `unknown`.
 *
 * @example failure("createTransfer", "P433")
 * @example failure("getUserBalances", "unexpected-response", { status: 503, headers: { "retry-after": "0" } })
 * @throws {TypeError} when there is no such operation, P-code or documented failure, a detail does not apply, or the client would read the
 * response as another kind of result.
 */
export function failure<Name extends OperationName>(
  operationId: Name,
  documentedCode: DocumentedCodes[Name],
  details?: FailureDetails,
): FailureOf<Name>;
export function failure<Name extends OperationName>(
  operationId: Name,
  codeOrKind: FailureCode | FailureKind,
  details?: FailureDetails,
): FailureOf<Name>;
export function failure<Name extends OperationName>(
  operationId: Name,
  codeOrKind: string,
  details: FailureDetails = {},
): FailureOf<Name> {
  return makeFailure(tables, operationId, codeOrKind, details) as unknown as FailureOf<Name>;
}
