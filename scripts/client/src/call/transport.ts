import type { Operation } from "../base/operation.ts";
import { decode } from "../reading/bytes.ts";
import { readChunks } from "../reading/read-chunks.ts";
import type { CheckedOptions } from "../state/check-options.ts";
import type { OutgoingRequest } from "../state/client.ts";

export interface ReceivedResponse {
  readonly response: Response;
  /** Undefined when the body exceeds the client's limit. */
  readonly text: string | undefined;
  readonly isUtf8: boolean;
}

export interface Progress {
  /** True once the request was passed to `fetch`. */
  isSent: boolean;
  /** Holds the part of the body that arrived so far. */
  partial?: { readonly response: Response; readonly chunks: Uint8Array[] };
}

export async function sendRequest(
  { fetch, fetchOptions, maxResponseBytes }: CheckedOptions,
  { method }: Operation,
  url: string,
  request: OutgoingRequest,
  progress: Progress,
): Promise<ReceivedResponse> {
  // Redirects are not followed: `fetch` would send the API key, a custom header, to the other origin.
  // `Object.assign` is used, because an object literal that begins with a spread is much slower in V8.
  const init = Object.assign({}, noStoreOption(), fetchOptions, request, { method, redirect: "manual" });
  const [target, sentInit] = fetch ? await fetchArguments(url, init) : [url, init];
  // The call can have been aborted since `fetchArguments` began.
  request.signal?.throwIfAborted();
  progress.isSent = true;
  const response = await ((fetch ?? globalThis.fetch) as typeof globalThis.fetch)(target, sentInit);
  const chunks: Uint8Array[] = [];
  if (response instanceof Response) progress.partial = { response, chunks };
  return receiveText(response, chunks, maxResponseBytes);
}

/**
 * The `cache` option of `fetch`, and the `Request` class with which it was checked. It is checked again when a test or a framework replaces
 * the class.
 */
let cacheOption: RequestInit = {};
let checkedClass: typeof Request | undefined;

/**
 * Returns the `fetch` option that prevents caching; empty on edge runtimes that refuse the option. Frameworks such as Next.js can cache GET
 * requests, and in a cached balance or history a recent payment would be missing.
 */
export function noStoreOption(): RequestInit {
  if (checkedClass !== Request) {
    checkedClass = Request;
    try {
      cacheOption = { cache: "no-store" };
      new Request("http://localhost", cacheOption);
    } catch {
      cacheOption = {};
    }
  }
  return cacheOption;
}

/**
 * Creates the arguments of a custom `fetch`. If that `fetch` belongs to another copy of undici, it does not recognise this `Request` class:
 * it takes the URL from `toString` and the rest from the second argument. Nor does it recognise this `FormData` class, so a form is converted
 * to bytes.
 */
async function fetchArguments(url: string, init: RequestInit): Promise<[request: Request, init: RequestInit]> {
  let sentInit = init;
  if (init.body instanceof FormData) {
    const form = new Response(init.body);
    const headers = new Headers(init.headers);
    headers.set("content-type", form.headers.get("content-type") as string);
    sentInit = { ...init, headers, body: await form.blob() };
  }
  return [Object.defineProperty(new Request(url, sentInit), "toString", { value: () => url }), sentInit];
}

/**
 * Reads a body into `chunks`, up to `maxBytes`. When the connection fails, `chunks` contains the part that was received. A body that is not
 * a stream, such as one of a custom `fetch`, is read as a whole, without the limit. A custom `fetch` may return something else than a
 * Response: this must not throw, or it would look like a failed connection.
 */
async function receiveText(response: Response, chunks: Uint8Array[], maxBytes: number): Promise<ReceivedResponse> {
  const body = (response as Response | undefined)?.body;
  if (typeof body?.getReader !== "function") return { response, text: `${await response?.text?.()}`, isUtf8: true };
  const reader = body.getReader();
  if (!(await readChunks(reader, chunks, maxBytes))) {
    reader.cancel().catch(() => {});
    return { response, text: undefined, isUtf8: true };
  }
  const { text, isUtf8 } = decode(chunks);
  return { response, text, isUtf8 };
}
