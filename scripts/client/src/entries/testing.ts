/** For tests with any framework: results made from the examples of the contract, a fake client, and deliveries of webhooks. */

import type { FailureCode } from "../../../../generated/client/codes.ts";
import { contract } from "../../../../generated/client/contract.ts";
import * as texts from "../../../../generated/client/error-texts.ts";
import type { PartnerClient, TestPartnerClient } from "../../../../generated/client/index.ts";
import * as table from "../../../../generated/client/operation-table.ts";
import type * as operations from "../../../../generated/client/operations.ts";
import { responseExamples, type SuccessExamples } from "../../../../generated/client/response-examples.ts";
import { type WebhookEvents, type WebhookName, webhookPaths } from "../../../../generated/client/webhooks.ts";
import { deliverEvent, makeFakeClient, type Receiver } from "../testing/fake-client.ts";
import { makeFailure, makeSuccess } from "../testing/results.ts";
import type {
  DeliveryOptions,
  FailureDetails,
  FailureKind,
  FakeCall,
  FakeClientOptions,
  FakeResponse,
  TestedContract,
  TestFakeClientOptions,
} from "../testing/types.ts";
import type { CommonOptions, ErrorCodeOf } from "../types.ts";
import { testEvent } from "./webhooks.ts";

/** The operationId of an operation. */
export type OperationName = keyof operations.OperationResults;

/** The result of an operation that succeeded. */
export type SuccessOf<Name extends OperationName> = Extract<operations.OperationResults[Name], { error: undefined }>;

/** The result of an operation that failed. */
export type FailureOf<Name extends OperationName> = Extract<operations.OperationResults[Name], { data: undefined }>;

/** Overrides for the success example of each operation: some fields of an object, or the whole list or page. */
export type SuccessOverrides = { readonly [Name in OperationName]: OverridesOf<SuccessOf<Name>["data"]> };

type OverridesOf<Data> = [Data] extends [string | readonly unknown[]] ? Data : Partial<Data>;

/** The P-codes that the contract documents for the failures of each operation. */
export type DocumentedCodes = { readonly [Name in OperationName]: ErrorCodeOf<FailureOf<Name>["error"]> };

/** The scripted responses of a fake client, by operationId. */
export type FakeResponses<Names extends OperationName = operations.LatestOperationName> = {
  readonly [Name in Names]?:
    | FakeResponse<Omit<operations.OperationOptions[Name], keyof CommonOptions>, operations.OperationResults[Name]>
    | undefined;
};

/** A client with scripted responses, without a network. */
export interface FakeClient extends PartnerClient {
  /** The calls that it received, in their order. */
  readonly calls: readonly FakeCall[];
}

/** A client of the edition `test` with scripted responses, without a network. */
export interface TestFakeClient extends TestPartnerClient {
  /** The calls that it received, in their order. */
  readonly calls: readonly FakeCall[];
}

const tested: TestedContract = { contract, table, texts, examples: responseExamples };

/**
 * Returns a successful result made from an example of the contract. Use it as the return value of an operation's function, or in {@link
 * createFakeClient}.
 *
 * @example success("createTransfer", { transferId: "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63" })
 * @param overrides fields that replace those of the example; a list or a page replaces it as a whole.
 * @param options.example name of the example, where the contract has several. Default: the first.
 * @throws {TypeError} when there is no such operation or example, or a required field is missing after the overrides.
 */
export function success<Name extends OperationName>(
  operationId: Name,
  overrides?: SuccessOverrides[Name],
  options: { example?: SuccessExamples[Name] | undefined } = {},
): SuccessOf<Name> {
  return makeSuccess(tested, operationId, overrides, options.example) as SuccessOf<Name>;
}

/**
 * Returns a failed result as the client returns it. Use it as the return value of an operation's function, or in {@link createFakeClient}.
 * Its `error` is a PartnerApiError that can be thrown.
 *
 * - A P-code of the catalogue: with the status that the contract documents for the operation, and the texts of its example.
 * - `no-code`: a documented failure without a P-code. Without `status`, the first: 401 Access Denied.
 * - `unknown-code`: a P-code that the catalogue does not have, P999 or `errorCode`.
 * - `unexpected-response`: a response that cannot be read: a gateway's page with status 502, or the given `status` and `body`.
 * - `network`: no response. `outcome` is `unknown`; `{ outcome: "not-sent" }` is a refused connection.
 * - `timeout`, `aborted`: no response, `outcome` is `unknown`.
 *
 * @example failure("createTransfer", "P433")
 * @example failure("getUserBalances", "unexpected-response", { status: 503, headers: { "retry-after": "0" } })
 * @throws {TypeError} when there is no such operation or P-code, or a detail does not apply.
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
  what: string,
  details?: FailureDetails,
): FailureOf<Name> {
  return makeFailure(tested, operationId, what, details) as FailureOf<Name>;
}

/** Creates a fake client of the edition `test`, with the proposed operations as well. */
export function createFakeClient(
  responses: FakeResponses<OperationName> | undefined,
  options: TestFakeClientOptions,
): TestFakeClient;
/**
 * Creates a client with scripted responses, without a network. Everything else is the real client: checks of requests, hooks, timeouts,
 * redaction and retries. It also works with the functions of `/operations`.
 *
 * @example createFakeClient({ createTransfer: [failure("createTransfer", "P501"), success("createTransfer")] })
 * @param responses for each operation a result or a Response, a list of them for one call each, or a function of the request and the number
 * of the call. An operation without a response succeeds with its example; see `otherwise`.
 * @throws {TypeError} when the client has no such operation, or an option is malformed.
 */
export function createFakeClient(responses?: FakeResponses, options?: FakeClientOptions): FakeClient;
export function createFakeClient(
  responses: FakeResponses<OperationName> = {},
  options: FakeClientOptions = {},
): FakeClient {
  return makeFakeClient<FakeClient>(tested, responses, options);
}

/**
 * Delivers a webhook to a handler as the service would, and returns its response. Deliveries of the same event are
 * recognised: give each event of a handler its own `id`.
 *
 * @example await deliver(handler, "p2pTransfer", testEvent("p2pTransfer", { status: "UNSUCCESSFUL" }), { authorization })
 * @param receiver a handler, a route, or any function of a standard Request.
 * @param event default: the example of the contract.
 * @param options.path required with a `basePath`.
 * @throws what the receiver throws.
 */
export function deliver<Name extends WebhookName>(
  receiver: Receiver,
  name: Name,
  event: WebhookEvents[Name] = testEvent(name),
  options: DeliveryOptions = {},
): Promise<Response> {
  return deliverEvent(receiver, options.path ?? webhookPaths[name], event, options);
}

export type {
  DeliveryOptions,
  FailureCode,
  FailureDetails,
  FailureKind,
  FakeCall,
  FakeClientOptions,
  FakeResponse,
  Receiver,
  SuccessExamples,
  TestFakeClientOptions,
};
export { testEvent };
