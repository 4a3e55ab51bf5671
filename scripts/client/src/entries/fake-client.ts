/** The fake client is the real client with a scripted `fetch`. */

import type { PartnerClient, TestPartnerClient } from "../../../../generated/client/clients.ts";
import { contract } from "../../../../generated/client/contract.ts";
import * as table from "../../../../generated/client/operation-table.ts";
import type * as operations from "../../../../generated/client/operations.ts";
import { type WebhookEvents, type WebhookName, webhookPaths } from "../../../../generated/client/webhooks.ts";
import type { MiddlewareResult } from "../client.ts";
import type { ClientOptions } from "../client-options.ts";
import { makeFacade } from "../facade.ts";
import { InvalidRequest } from "../invalid-request.ts";
import { makeClient } from "../make-client.ts";
import { isIn, type Operation, operationIn } from "../operation.ts";
import { textOf } from "../problem-texts.ts";
import { rejectionOf, toText } from "../testing/results.ts";
import type {
  DeliveryOptions,
  FakeCall,
  FakeClientOptions,
  FakeResponse,
  SingleResponse,
  TestFakeClientOptions,
} from "../testing/types.ts";
import type { CommonOptions } from "../types.ts";
import { testEvent } from "./events.ts";
import { type OperationName, success } from "./results.ts";

/** The scripted responses of a fake client, by operationId. */
export type FakeResponses<Names extends OperationName = operations.LatestOperationName> = {
  readonly [Name in Names]?:
    | FakeResponse<Omit<operations.OperationOptions[Name], keyof CommonOptions>, operations.OperationResults[Name]>
    | undefined;
};

/** A client with scripted responses, without a network. */
export interface FakeClient extends PartnerClient {
  /** The received calls, in order. */
  readonly calls: readonly FakeCall[];
}

/** A client of the edition `test` with scripted responses, without a network. */
export interface TestFakeClient extends TestPartnerClient, Pick<FakeClient, "calls"> {}

/** A local address, for which the client does not warn of an API key in a browser. */
const baseUrl = "http://localhost";

type AnyFakeResponse = SingleResponse<MiddlewareResult>;
type AnyFakeResponses = Readonly<Record<string, FakeResponse<unknown, MiddlewareResult> | undefined>>;
type ReceivedCall = { -readonly [Name in keyof FakeCall]: FakeCall[Name] };

/** Creates a fake client of the edition `test`, which adds the proposed operations. */
export function createFakeClient(
  responses: FakeResponses<OperationName> | undefined,
  options: TestFakeClientOptions,
): TestFakeClient;
/**
 * Creates a client with scripted responses, without a network. Everything else is the real client: checks of requests, hooks, timeouts,
 * redaction and retries. It also works with the functions of `/operations`.
 *
 * @example createFakeClient({ createTransfer: [failure("createTransfer", "P501"), success("createTransfer")] })
 * @param responses for each operation a result or a Response, a list with one for each call, or a function of the request and the number of
 * the call. An operation without a response succeeds with its example; see `otherwise`.
 * @throws {TypeError} when the client has no such operation, or an option is malformed.
 */
export function createFakeClient(responses?: FakeResponses, options?: FakeClientOptions): FakeClient;
export function createFakeClient(
  responses: FakeResponses<OperationName> = {},
  { otherwise = "example", ...options }: FakeClientOptions = {},
): FakeClient {
  if (otherwise !== "example" && otherwise !== "fail") throw new TypeError('otherwise must be "example" or "fail".');
  const calls: FakeCall[] = [];
  const own: ClientOptions = {
    retries: 0,
    ...options,
    baseUrl,
    depositBaseUrl: baseUrl,
    apiKey: "fake-key",
    fetch: async (request) => {
      const call = receive(request);
      const operation = operationIn(table, call.operationId);
      calls.push(call);
      const callNumber = calls.filter(({ operationId }) => operationId === operation.id).length;
      call.body = await readBody(operation, request);
      const scripted = await responseTo(operation, call, callNumber);
      return toResponse(operation, scripted ?? unanswered(operation.id));
    },
  };
  const client = makeClient(own, contract);
  for (const name of Object.keys(responses)) {
    const operation = operationIn(table, name);
    if (isIn(client.edition, operation)) continue;
    throw new TypeError(`${name}: ${textOf(["edition", client.edition, operation.edition])}`);
  }
  return Object.assign(makeFacade<PartnerClient>(client, table), { calls });

  function responseTo(
    { id }: Operation,
    call: FakeCall,
    callNumber: number,
  ): AnyFakeResponse | undefined | Promise<AnyFakeResponse> {
    const given = Object.hasOwn(responses, id) ? (responses as AnyFakeResponses)[id] : undefined;
    if (typeof given === "function") return ask(given, call, callNumber);
    if (!Array.isArray(given)) return given as AnyFakeResponse | undefined;
    if (callNumber <= given.length) return given[callNumber - 1];
    throw refusal(`The fake client has ${given.length} answers in a row, and this is call ${callNumber}.`);
  }

  function unanswered(operationId: string): AnyFakeResponse {
    if (otherwise === "example") return success(operationId as "createTransfer");
    throw refusal(
      `The fake client has no response. Give it one: createFakeClient({ ${operationId}: success("${operationId}") }).`,
    );
  }
}

function refusal(text: string, cause?: unknown): InvalidRequest {
  return new InvalidRequest(["text", text], cause);
}

async function ask(
  scripted: Extract<FakeResponse<unknown, MiddlewareResult>, (...args: never) => unknown>,
  { path, query, body }: FakeCall,
  callNumber: number,
): Promise<AnyFakeResponse> {
  try {
    return await scripted({ path, query, body }, callNumber);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw refusal(`The function that answers for the fake client threw: ${reason}`, cause);
  }
}

function receive({ method, url }: Request): ReceivedCall {
  const { pathname, searchParams } = new URL(url);
  for (const operation of Object.values<Operation>(table)) {
    const pattern = new RegExp(`^${operation.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]*)")}$`);
    const found = operation.method === method && pattern.exec(pathname);
    if (!found) continue;
    const parameters = Object.entries(found.groups ?? {}).map(([name, text]) => [name, decodeURIComponent(text)]);
    const query = Object.fromEntries(searchParams);
    return { operationId: operation.id, path: Object.fromEntries(parameters), query, body: undefined };
  }
  throw refusal(`The contract has no operation ${method} ${pathname}.`);
}

async function readBody({ json, upload }: Operation, request: Request): Promise<unknown> {
  if (!upload) return json ? JSON.parse(await request.text()) : undefined;
  const form = await request.formData();
  const parts = upload.parts.filter((name) => form.has(name));
  const files = parts.map((name) => {
    const all = form.getAll(name);
    const isList = upload.limits?.[name]?.maxFiles !== undefined || all.length > 1;
    return [name, isList ? all : all[0]];
  });
  return Object.fromEntries(files);
}

function toResponse(operation: Operation, scripted: AnyFakeResponse): Response {
  if (typeof (scripted as Partial<Response> | null)?.clone === "function") return (scripted as Response).clone();
  if (typeof scripted !== "object" || !("error" in scripted)) {
    throw refusal("A response of the fake client must be a result, as success and failure return it, or a Response.");
  }
  const { data, error, response, status } = scripted;
  if (error === undefined) return respond(operation, toText(data), response?.status ?? status ?? 200, response);
  const { kind, outcome, cause, errorCode, errorName, errorMessage, timestamp } = error;
  if (kind === "invalid-request") throw refusal(error.message.replace(`${operation.id}: `, ""), cause);
  if (kind === "network" || kind === "timeout" || kind === "aborted") {
    throw rejectionOf(kind, outcome === "not-sent" ? outcome : "unknown", cause);
  }
  const text = error.body ?? JSON.stringify({ errorCode, errorName, errorMessage, timestamp });
  return respond(operation, text, error.status ?? 400, response);
}

function respond(operation: Operation, text: string, status: number, like: Response | undefined): Response {
  const headers = new Headers(like?.headers);
  const { accept = "application/json" } = operation;
  if (like === undefined) headers.set("content-type", status < 300 ? accept : "application/json");
  return new Response(text, { status, headers });
}

/** A receiver of webhooks: a handler of this package, or a function that takes a standard Request. */
export type Receiver = (request: Request) => Response | Promise<Response>;

/**
 * Delivers a webhook to a handler as the service would, and returns its response. The handler recognises a repeated delivery: give each
 * event its own `id`.
 *
 * @example await deliver(handler, "p2pTransfer", testEvent("p2pTransfer", { status: "UNSUCCESSFUL" }), { authorization })
 * @param receiver a handler, a route, or any function of a standard Request.
 * @param event default: the example of the contract.
 * @param options.path required with a `basePath`.
 * @throws the errors of the receiver.
 */
export async function deliver<Name extends WebhookName>(
  receiver: Receiver,
  name: Name,
  event: WebhookEvents[Name] = testEvent(name),
  options: DeliveryOptions = {},
): Promise<Response> {
  const { authorization, path = webhookPaths[name] } = options;
  const headers = { "content-type": "application/json", ...(authorization !== undefined && { authorization }) };
  return receiver(new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(event) }));
}
