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
  { url, ...sending }: Sending,
): Promise<Answer> {
  // A redirect could send the key to another origin: fetch keeps custom headers when it follows one.
  const init = { ...fetchOptions, method, redirect: "manual", ...sending } as RequestInit;
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
 * Whether no connection was made, so that nothing was sent. Only the errors of the global `fetch` of Node tell; a `fetch` or
 * a dispatcher of the partner may have sent the request before.
 */
export function failedToConnect({ fetch, fetchOptions }: CheckedOptions, cause: unknown): boolean {
  if (fetch !== undefined || fetchOptions?.dispatcher !== undefined) return false;
  const isBefore = ({ code, syscall }: SystemError) =>
    syscall === "connect" || syscall === "getaddrinfo" || code === "UND_ERR_CONNECT_TIMEOUT" || undefined;
  return first(cause, isBefore) ?? false;
}

/** The first result that is not undefined, for an error, its causes and the errors that it unites. */
function first<T>(error: unknown, read: (error: SystemError) => T | undefined, depth = 0): T | undefined {
  if (typeof error !== "object" || error === null || depth > 3) return undefined;
  try {
    const { cause, errors } = error as SystemError;
    const inner = Array.isArray(errors) ? errors[0] : cause;
    return read(error) ?? first(inner, read, depth + 1);
  } catch {
    // An error of the partner's `fetch` that cannot be read.
    return undefined;
  }
}
