/** Sends a request through `fetch`, and tells what the errors of `fetch` mean. */
import type { Operation } from "./operation.ts";
import type { CheckedOptions } from "./options.ts";
import type { Redact } from "./redaction.ts";

/** A response whose body was read to its end. */
export interface Answer {
  readonly response: Response;
  readonly text: string;
}

interface Sending {
  readonly url: string;
  readonly headers: Record<string, string> | Headers;
  readonly body: string | FormData | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request, and reads the whole body of the response. */
export async function send(
  { fetch, fetchOptions }: CheckedOptions,
  { method }: Operation,
  { url, headers, body, signal }: Sending,
): Promise<Answer> {
  // A redirect could send the key to another origin: fetch keeps custom headers when it follows one.
  const init = { ...fetchOptions, method, headers, body, signal, redirect: "manual" } as RequestInit;
  const response = await (fetch === undefined ? globalThis.fetch(url, init) : fetch(new Request(url, init)));
  return { response, text: await response.text() };
}

/** An error as Node and other runtimes describe it. */
interface SystemError {
  code?: unknown;
  syscall?: unknown;
  cause?: unknown;
  /** Of an AggregateError: one for each address that was tried. */
  errors?: unknown;
}

/** Says that the connection failed, with the code of the system (`ECONNREFUSED`) if there is one. */
export function describeNetworkError(cause: unknown, redact: Redact): string {
  const code = first(cause, ({ code }) => (typeof code === "string" && /^\w{2,40}$/.test(code) ? code : undefined));
  return `The service could not be reached, or the connection failed${code === undefined ? "" : ` (${redact(code)})`}.`;
}

/**
 * Whether no connection was made, so that nothing was sent. Only an untouched `fetch` of Node tells: a `fetch` or a dispatcher
 * of the partner, or one that a tool has put in their place, may have sent the request before it failed to connect again.
 */
export function failedToConnect({ fetch, fetchOptions }: CheckedOptions, cause: unknown): boolean {
  return fetch === undefined && fetchOptions?.dispatcher === undefined && hasOwnFetch() && isConnectError(cause);
}

/** Whether an error of the `fetch` of Node says that no connection was made. */
export function isConnectError(cause: unknown): boolean {
  const isBefore = ({ code, syscall, errors }: SystemError): boolean | undefined =>
    Array.isArray(errors)
      ? errors.every((error) => first(error, isBefore) === true)
      : syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT" || undefined;
  return first(cause, isBefore) ?? false;
}

interface Dispatcher {
  readonly constructor: { readonly name: string; readonly prototype: { readonly dispatch: unknown } };
  readonly dispatch: unknown;
}

/**
 * Whether `fetch` and its dispatcher are those that Node has made. From version 26, Node has one for each of two interfaces:
 * the first is then the second one in a wrapper. A tool can replace either.
 */
function hasOwnFetch(): boolean {
  const dispatchers = globalThis as unknown as Record<symbol, Dispatcher | undefined>;
  const [first, second] = [1, 2].map((version) => dispatchers[Symbol.for(`undici.globalDispatcher.${version}`)]);
  if (!String(globalThis.fetch).includes("internal/deps/undici")) return false;
  const isWrapped = second !== undefined && isOwn(first, "Dispatcher1Wrapper");
  return (isWrapped || isOwn(first, "Agent")) && isOwn(second, "Agent");
}

/** Whether a dispatcher is absent, or one of a class of undici. One that was composed has another `dispatch`. */
function isOwn(dispatcher: Dispatcher | undefined, name: string): boolean {
  if (dispatcher === undefined) return true;
  const { constructor: type, dispatch } = dispatcher;
  return type.name === name && dispatch === type.prototype.dispatch;
}

/** The first result that is not undefined, for an error, its causes and the errors that it unites. */
function first<T>(error: unknown, read: (error: SystemError) => T | undefined, depth = 0): T | undefined {
  try {
    if (typeof error !== "object" || error === null || depth > 3) return undefined;
    const { cause, errors } = error as SystemError;
    return read(error) ?? first(Array.isArray(errors) ? errors[0] : cause, read, depth + 1);
  } catch {
    // An error of the partner's `fetch` that cannot be read.
    return undefined;
  }
}
