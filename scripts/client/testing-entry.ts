/** Generates the entry file for tests and the examples that it answers with. */
import { type Answer, type Contract, codeProperty, type Operation } from "../contract/index.ts";
import { isSuccess, typeName } from "./operation-types.ts";
import { generatedNotice, runtimePath, toLiteral, toMembers } from "./text.ts";

/** Returns the text of `testing.ts`: typed results, a fake client and deliveries of webhooks. */
export function testingSource(contract: Contract): string {
  const { operations, errorCodes } = contract;
  const examples = operations.map((operation) =>
    member(
      operation,
      successesOf(operation).map(({ name }) => name),
    ),
  );
  const codes = operations.map((operation) =>
    member(
      operation,
      failuresOf(operation).flatMap((each) => each.codes),
    ),
  );
  const overrides = operations.map((operation) => `  ${operation.operationId}: ${overridesOf(operation)};`);
  const successCodes = errorCodes.filter(({ retry }) => retry === "none").map(({ code }) => code);
  return `${generatedNotice}
/** For tests with any framework: results made from the examples of the contract, a fake client, and deliveries of webhooks. */
import { deliverEvent, type Receiver } from "${runtimePath}/testing/fake-client.ts";
import { makeFakeClient } from "${runtimePath}/testing/fake-client.ts";
import { makeFailure, makeSuccess } from "${runtimePath}/testing/results.ts";
import type { DeliveryOptions, FailureDetails, FailureKind, FakeAnswer, FakeCall, FakeClientOptions, TestedContract, TestFakeClientOptions } from "${runtimePath}/testing/types.ts";
import type { CommonOptions } from "${runtimePath}/types.ts";
import { answerExamples } from "./answer-examples.ts";
import * as catalogue from "./catalogue.ts";
import { contract } from "./contract.ts";
import type { PartnerClient, TestPartnerClient } from "./index.ts";
import * as table from "./operation-table.ts";
import type * as operations from "./operations.ts";
import { testEvent, type WebhookEvents, type WebhookName, webhookPaths } from "./webhooks.ts";

/** The operationId of an operation. */
export type OperationName = keyof operations.OperationResults;

/** The result of an operation that succeeded. */
export type SuccessOf<Name extends OperationName> = Extract<operations.OperationResults[Name], { error: undefined }>;

/** The result of an operation that failed. */
export type FailureOf<Name extends OperationName> = Extract<operations.OperationResults[Name], { data: undefined }>;

/** The P-codes of the catalogue that come with a failure. */
export type FailureCode = ${successCodes.length === 0 ? "operations.CatalogueCode" : `Exclude<operations.CatalogueCode, ${union(successCodes)}>`};

/** The names of the examples of each operation's successes. */
export interface SuccessExamples {
${examples.join("\n")}
}

/** What replaces parts of the example of each operation's success: some fields of an object, or the whole list or page. */
export interface SuccessOverrides {
${overrides.join("\n")}
}

/** The P-codes that the contract documents for the failures of each operation. */
export interface DocumentedCodes {
${codes.join("\n")}
}

/** What a fake client answers, by the operationId. */
export type FakeAnswers<Names extends OperationName = operations.LatestOperationName> = {
  readonly [Name in Names]?: FakeAnswer<Omit<operations.OperationOptions[Name], keyof CommonOptions>, operations.OperationResults[Name]> | undefined;
};

/** A client that answers in this process. */
export interface FakeClient extends PartnerClient {
  /** The calls that it received, in their order. */
  readonly calls: readonly FakeCall[];
}

/** A client of the edition \`test\` that answers in this process. */
export interface TestFakeClient extends TestPartnerClient {
  /** The calls that it received, in their order. */
  readonly calls: readonly FakeCall[];
}

const tested: TestedContract = { contract, table, catalogue, examples: answerExamples };

/**
 * Returns the result of a call that succeeded, made from an example of the contract. It can stand in for what the function of
 * the operation returns, and be given to {@link createFakeClient}.
 *
 * @example success("createTransfer", { transferId: "7d1c9a52-3f0e-4b7a-9c86-1e5f2ab04d63" })
 * @param overrides fields that replace those of the example; a list or a page replaces it as a whole.
 * @param options.example name of the example, where the contract has several. Default: the first.
 * @throws {TypeError} when there is no such operation or example, or the overrides leave no success: a required field is missing.
 */
export function success<Name extends OperationName>(
  operationId: Name,
  overrides?: SuccessOverrides[Name],
  options: { example?: SuccessExamples[Name] | undefined } = {},
): SuccessOf<Name> {
  return makeSuccess(tested, operationId, overrides, options.example) as SuccessOf<Name>;
}

/**
 * Returns the result of a call that failed, as the client returns it. It can stand in for what the function of the operation
 * returns, and be given to {@link createFakeClient}. Its \`error\` is a PartnerApiError that can be thrown.
 *
 * - A P-code of the catalogue: with the status that the contract documents for the operation, and the texts of its example.
 * - \`no-code\`: a documented failure without a P-code. Without \`status\`, the first: 401 Access Denied.
 * - \`unknown-code\`: a P-code that the catalogue does not have, P999 or \`errorCode\`.
 * - \`unexpected-answer\`: a response that cannot be read, the page of a gateway with 502 or \`status\` and \`body\`.
 * - \`network\`: no response. \`outcome\` is \`unknown\`; \`{ outcome: "not-sent" }\` is a refused connection.
 * - \`timeout\`, \`aborted\`: no response, \`outcome\` is \`unknown\`.
 *
 * @example failure("createTransfer", "P433")
 * @example failure("getUserBalances", "unexpected-answer", { status: 503, headers: { "retry-after": "0" } })
 * @throws {TypeError} when there is no such operation or P-code, or a detail does not apply.
 */
export function failure<Name extends OperationName>(operationId: Name, documentedCode: DocumentedCodes[Name], details?: FailureDetails): FailureOf<Name>;
export function failure<Name extends OperationName>(operationId: Name, codeOrKind: FailureCode | FailureKind, details?: FailureDetails): FailureOf<Name>;
export function failure<Name extends OperationName>(operationId: Name, what: string, details?: FailureDetails): FailureOf<Name> {
  return makeFailure(tested, operationId, what, details) as FailureOf<Name>;
}

/** Creates a client of the edition \`test\` that answers in this process: one with the proposed operations as well. */
export function createFakeClient(answers: FakeAnswers<OperationName> | undefined, options: TestFakeClientOptions): TestFakeClient;
/**
 * Creates a client that answers in this process. Everything else is the real client: what cannot be sent is refused, and
 * hooks, timeouts, redaction and retries work. It is taken by the functions of \`/operations\` as well.
 *
 * @example createFakeClient({ createTransfer: [failure("createTransfer", "P501"), success("createTransfer")] })
 * @param answers for each operation a result or a Response, a list of them for one call each, or a function that is given what
 * was sent and the number of the call. An operation without an answer succeeds with its example; see \`otherwise\`.
 * @throws {TypeError} when the client has no such operation, or an option is malformed.
 */
export function createFakeClient(answers?: FakeAnswers, options?: FakeClientOptions): FakeClient;
export function createFakeClient(answers: FakeAnswers<OperationName> = {}, options: FakeClientOptions = {}): FakeClient {
  return makeFakeClient<FakeClient>(tested, answers, options);
}

/**
 * Delivers a webhook to a handler as the service would, and returns its response. Deliveries of the same event are
 * recognised: give each event of a handler its own \`id\`.
 *
 * @example await deliver(handler, "p2pTransfer", testEvent("p2pTransfer", { status: "UNSUCCESSFUL" }), { authorization })
 * @param receiver a handler, a route, or what else takes a standard Request.
 * @param event default: the example of the contract.
 * @param options.path required with a \`basePath\`.
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

export { testEvent };
export type { DeliveryOptions, FailureDetails, FailureKind, FakeAnswer, FakeCall, FakeClientOptions, Receiver, TestFakeClientOptions };
`;
}

function member({ operationId }: Operation, values: readonly string[]): string {
  return `  ${operationId}: ${union(values)};`;
}

function overridesOf(operation: Operation): string {
  const data = `operations.${typeName(operation)}Data`;
  const isObject = successesOf(operation).every(({ value }) => typeof value === "object" && !Array.isArray(value));
  return isObject ? `Partial<${data}>` : data;
}

function union(values: readonly string[]): string {
  const different = [...new Set(values)];
  return different.length === 0 ? "never" : different.map((value) => JSON.stringify(value)).join(" | ");
}

/** Returns the text of `answer-examples.ts`. */
export function answerExamplesSource(contract: Contract): string {
  const { operations } = contract;
  const successes = operations.map((operation) => {
    const examples = successesOf(operation).map(({ name, status, value }) => [name, { status, body: value }]);
    return [operation.operationId, toLiteral(Object.fromEntries(examples))] as const;
  });
  const withoutCode = operations.map((operation) => {
    const answers = failuresOf(operation).flatMap(({ status, bodies: [body] }) => {
      const value = body?.examples[0]?.value;
      return value === undefined || codeIn(value) !== undefined ? [] : [[status, value]];
    });
    return [operation.operationId, toLiteral(Object.fromEntries(answers))] as const;
  });
  return `${generatedNotice}
import type { AnswerExamples } from "${runtimePath}/testing/types.ts";

/** The examples of the contract that tests answer with. */
export const answerExamples: AnswerExamples = {
  successes: {
${toMembers(successes)}
  },
  codes: {
${toMembers(codeExamples(contract))}
  },
  withoutCode: {
${toMembers(withoutCode)}
  },
};
`;
}

/** For every P-code the first example, with the status of the first operation that documents it as a failure. */
function codeExamples({ operations, errorCodes }: Contract): (readonly [string, string])[] {
  const shown = operations
    .flatMap(failuresOf)
    .flatMap(({ status, bodies: [body] }) =>
      (body?.examples ?? []).map(({ value }) => ({ status, body: value, code: codeIn(value) })),
    );
  const timestamp = shown
    .map(({ body }) => (body as { timestamp?: unknown }).timestamp)
    .find((time) => time !== undefined);
  return errorCodes.map(({ code, meaning }) => {
    const { status = 400, body = { errorCode: code, errorMessage: meaning, timestamp } } =
      shown.find((example) => example.code === code) ?? {};
    return [code, toLiteral({ status, body })] as const;
  });
}

function codeIn(body: unknown): unknown {
  return (body as Record<string, unknown> | null)?.[codeProperty];
}

/** The examples of each success, with its status. */
function successesOf({ answers }: Operation) {
  return answers
    .filter(isSuccess)
    .flatMap(({ status, bodies: [body] }) =>
      (body?.examples ?? []).map(({ name, value }) => ({ name, status, value })),
    );
}

function failuresOf({ answers }: Operation): Answer[] {
  return answers.filter(({ status }) => status >= 400);
}
