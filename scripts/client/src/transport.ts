import { decode } from "./bytes.ts";
import type { Operation } from "./operation.ts";
import type { CheckedOptions } from "./options.ts";
import { readChunks } from "./reading/read-chunks.ts";

export interface ReceivedResponse {
  readonly response: Response;
  /** Undefined when the body exceeds the client's limit. */
  readonly text: string | undefined;
  readonly isText: boolean;
}

/** What the current attempt has sent and received so far. */
export interface Progress {
  /** Whether the request was passed to `fetch`. */
  isSent: boolean;
  /** The response and the part of its body that arrived so far. */
  partial: { readonly response: Response; readonly chunks: Uint8Array[] } | undefined;
}

interface Sending {
  readonly url: string;
  readonly headers: Record<string, string> | Headers;
  readonly body: string | FormData | undefined;
  readonly signal: AbortSignal | undefined;
}

export async function send(
  { fetch, fetchOptions, maxResponseBytes }: CheckedOptions,
  { method }: Operation,
  { url, headers, body, signal }: Sending,
  progress: Progress,
): Promise<ReceivedResponse> {
  // Redirects are not followed: `fetch` would send the API key, a custom header, to the other origin.
  // In V8, an object literal that begins with a spread takes twenty times as long.
  const init = Object.assign({}, uncached(), fetchOptions, { method, headers, body, signal, redirect: "manual" });
  const request = fetch && (await toRequest(url, init));
  progress.isSent = true;
  const response = await (request === undefined
    ? globalThis.fetch(url, init)
    : (fetch as (request: Request, init: RequestInit) => Promise<Response>)(request[0], request[1]));
  const chunks: Uint8Array[] = [];
  // A custom `fetch` may return anything.
  if (response instanceof Response) progress.partial = { response, chunks };
  return readBody(response, chunks, maxResponseBytes);
}

/**
 * The option and the `Request` class for which it was checked. A test or a framework can replace the class, and then it is checked again.
 */
let cacheOption: RequestInit = {};
let checkedClass: typeof Request | undefined;

/**
 * Returns the `fetch` option that prevents caching; empty on edge runtimes that refuse the option. Frameworks such as Next.js cache GET
 * requests by default, and in a cached balance or history a recent payment would be missing.
 */
export function uncached(): RequestInit {
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
 * A `fetch` of another copy of undici does not recognise this `Request` class: it takes the URL from `toString` and the rest from the
 * second argument. It does not recognise this `FormData` class either, so a form is converted to bytes.
 */
async function toRequest(url: string, init: RequestInit): Promise<[request: Request, init: RequestInit]> {
  let sent = init;
  if (init.body instanceof FormData) {
    const form = new Response(init.body);
    const headers = new Headers(init.headers);
    headers.set("content-type", form.headers.get("content-type") as string);
    sent = { ...init, headers, body: await form.blob() };
  }
  return [Object.defineProperty(new Request(url, sent), "toString", { value: () => url }), sent];
}

/** Reads a body in chunks, up to `maxBytes`. When the connection breaks, `chunks` contains the part that was received. */
async function readBody(response: Response, chunks: Uint8Array[], maxBytes: number): Promise<ReceivedResponse> {
  const { body } = response;
  if (typeof body?.getReader !== "function") return { response, text: await response.text(), isText: true };
  const reader = body.getReader();
  if (!(await readChunks(reader, chunks, maxBytes))) {
    reader.cancel().catch(() => {});
    return { response, text: undefined, isText: true };
  }
  const { text, isUtf8 } = decode(chunks);
  return { response, text, isText: isUtf8 };
}
