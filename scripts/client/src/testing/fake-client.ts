/** A client for tests: the real client over a scripted `fetch`. */
import { type Client, makeClient, stateOf } from "../client.ts";
import type { ClientOptions } from "../client-options.ts";
import { makeFacade } from "../facade.ts";
import { type Operation, type OperationTable, operationIn } from "../operation.ts";
import { checkEdition } from "../request.ts";
import { InvalidRequest } from "../serialize.ts";
import { makeSuccess, rejectionOf, type TestedResult, toText } from "./results.ts";
import type {
  DeliveryOptions,
  FakeCall,
  FakeClientOptions,
  FakeResponse,
  SingleResponse,
  TestedContract,
} from "./types.ts";

/** A local address, for which the client does not warn of a key in a browser. */
const baseUrl = "http://localhost";

type AnyFakeResponse = SingleResponse<TestedResult>;
type AnyFakeResponses = Readonly<Record<string, FakeResponse<unknown, TestedResult> | undefined>>;
type ReceivedCall = { -readonly [Name in keyof FakeCall]: FakeCall[Name] };

/**
 * Creates a fake client.
 *
 * @typeParam Facade the generated interface of the client, with `calls`.
 * @param responses the responses by operationId.
 * @throws {TypeError} when there is no such operation, or an option is malformed.
 */
export function makeFakeClient<Facade>(
  tested: TestedContract,
  responses: object,
  { otherwise = "example", ...options }: FakeClientOptions,
): Facade {
  const { table, contract } = tested;
  if (otherwise !== "example" && otherwise !== "fail") throw new TypeError('otherwise must be "example" or "fail".');
  const calls: FakeCall[] = [];
  const own: ClientOptions = {
    retries: 0,
    ...options,
    baseUrl,
    depositBaseUrl: baseUrl,
    apiKey: "fake-key",
    fetch: async (request) => {
      const call = receive(table, request);
      const operation = operationIn(table, call.operationId);
      calls.push(call);
      const callNumber = calls.filter(({ operationId }) => operationId === operation.id).length;
      call.body = await readBody(operation, request);
      const scripted = await responseTo(operation, call, callNumber);
      return toResponse(operation, scripted ?? unanswered(operation.id));
    },
  };
  const client = makeClient(own, contract);
  for (const name of Object.keys(responses)) assertHas(client, operationIn(table, name), tested);
  return Object.assign(makeFacade<object>(client, table), { calls }) as Facade;

  /** The scripted response to a call; undefined when there is none. */
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
    if (otherwise === "example") return makeSuccess(tested, operationId);
    throw refusal(
      `The fake client has no response. Give it one: createFakeClient({ ${operationId}: success("${operationId}") }).`,
    );
  }
}

function assertHas(client: Client, operation: Operation, { texts }: TestedContract): void {
  try {
    checkEdition(stateOf(client).options, operation);
  } catch (error) {
    throw new TypeError(`${operation.id}: ${texts.textOf((error as InvalidRequest).problem)}`);
  }
}

function refusal(text: string, cause?: unknown): InvalidRequest {
  return new InvalidRequest(["text", text], cause);
}

async function ask(
  scripted: Extract<FakeResponse<unknown, TestedResult>, (...args: never) => unknown>,
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

/** Finds the operation of a request. The body is not read yet. */
function receive(table: OperationTable, { method, url }: Request): ReceivedCall {
  const { pathname, searchParams } = new URL(url);
  const given = pathname.split("/");
  for (const operation of Object.values(table)) {
    const path = operation.method === method ? parametersOf(operation.path.split("/"), given) : undefined;
    if (path === undefined) continue;
    return { operationId: operation.id, path, query: Object.fromEntries(searchParams), body: undefined };
  }
  throw refusal(`The contract has no operation ${method} ${pathname}.`);
}

/** The path parameters; undefined when the path does not match the template. */
function parametersOf(template: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  const fits = template.every((part, index) => part.startsWith("{") || part === given[index]);
  if (template.length !== given.length || !fits) return undefined;
  const named = template.flatMap((part, index) =>
    part.startsWith("{") ? [[part.slice(1, -1), decodeURIComponent(given[index] ?? "")]] : [],
  );
  return Object.fromEntries(named);
}

async function readBody({ body, upload }: Operation, request: Request): Promise<unknown> {
  if (!upload) return body ? JSON.parse(await request.text()) : undefined;
  const form = await request.formData();
  const parts = upload.parts.filter((name) => form.has(name));
  const files = parts.map((name) => {
    const all = form.getAll(name);
    const isList = upload.limits?.[name]?.maxFiles !== undefined || all.length > 1;
    return [name, isList ? all : all[0]];
  });
  return Object.fromEntries(files);
}

/** @throws the rejection of `fetch`, for a scripted failure without a response. */
function toResponse(operation: Operation, scripted: AnyFakeResponse): Response {
  if (isResponse(scripted)) return scripted.clone();
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

function isResponse(scripted: AnyFakeResponse): scripted is Response {
  return typeof (scripted as Partial<Response> | null)?.clone === "function";
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
 * Calls a receiver as the service would: POST, with the event as JSON.
 *
 * @throws what the receiver throws.
 */
export async function deliverEvent(
  receiver: Receiver,
  path: string,
  event: unknown,
  { authorization }: DeliveryOptions,
): Promise<Response> {
  const headers = new Headers({ "content-type": "application/json" });
  if (authorization !== undefined) headers.set("authorization", authorization);
  return receiver(new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(event) }));
}
