/** Sends a request through `fetch`. */
import { decode } from "./bytes.ts";
import type { Operation } from "./operation.ts";
import type { CheckedOptions } from "./options.ts";

/** A response whose body was read to its end. */
export interface ReceivedResponse {
  readonly response: Response;
  /** The body; undefined when it is larger than the client takes. */
  readonly text: string | undefined;
  /** Whether the body is valid UTF-8. */
  readonly isText: boolean;
}

interface Sending {
  readonly url: string;
  readonly headers: Record<string, string> | Headers;
  readonly body: string | FormData | undefined;
  readonly signal: AbortSignal | undefined;
  /** Called before anything of the request can be written to a connection. */
  readonly onSend: () => void;
}

/** Sends a request, and reads the body of the response, as far as the client takes it. */
export async function send(
  { fetch, fetchOptions, maxResponseBytes }: CheckedOptions,
  { method }: Operation,
  { url, headers, body, signal, onSend }: Sending,
): Promise<ReceivedResponse> {
  // A redirect could send the key to another origin: fetch keeps custom headers when it follows one.
  const init = { ...fetchOptions, method, headers, body, signal, redirect: "manual" } as RequestInit;
  // Only an untouched fetch of Node tells when it sends: any other may have sent the request before it fails.
  if (fetch !== undefined || fetchOptions?.dispatcher !== undefined || !hasOwnFetch()) onSend();
  const response = await (fetch === undefined ? fetchOnce(url, init, onSend) : fetchWith(fetch, url, init));
  return readBody(response, maxResponseBytes);
}

/** What undici sends requests with. */
interface Dispatcher {
  readonly constructor: { readonly name: string; readonly prototype: { readonly dispatch: unknown } };
  readonly dispatch: (options: unknown, handler: DispatchHandler) => unknown;
}

/** What undici calls for a request: one of these before it writes to a connection that is made, to undici 7 and from 8. */
type DispatchHandler = { [Name in "onConnect" | "onRequestStart"]?: (...args: unknown[]) => unknown };

const dispatchers = globalThis as unknown as Record<symbol, Dispatcher | undefined>;
const dispatcherKeys = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));

/** The dispatcher that the `fetch` of Node uses by itself: from undici 8, that of the second interface. */
function globalDispatcher(): Dispatcher | undefined {
  const { process } = globalThis as { process?: { versions?: { undici?: string } } };
  const index = Number.parseInt(process?.versions?.undici ?? "", 10) < 8 ? 0 : 1;
  return isNodeFetch() ? dispatchers[dispatcherKeys[index] as symbol] : undefined;
}

/** Whether the global `fetch` is the one of Node, and none that a tool has put in its place. */
function isNodeFetch(): boolean {
  return String(globalThis.fetch).includes("internal/deps/undici");
}

/**
 * Fetches, once: undici sends a request a second time when the response is 421 (Fetch, HTTP-network-or-cache fetch), which nobody
 * would be told of. The response is that 421 then, without its headers and body.
 */
async function fetchOnce(url: string, init: RequestInit, onSend: () => void): Promise<Response> {
  const own = (init as { dispatcher?: Dispatcher }).dispatcher ?? globalDispatcher();
  if (own === undefined) {
    onSend();
    return globalThis.fetch(url, init);
  }
  let times = 0;
  const dispatch: Dispatcher["dispatch"] = (options, handler) => {
    times += 1;
    if (times > 1) throw new Error("421");
    const name = handler.onConnect ? "onConnect" : "onRequestStart";
    const begin = handler[name];
    if (begin === undefined) onSend();
    handler[name] = function (...args) {
      onSend();
      return begin?.apply(this, args);
    };
    return own.dispatch(options, handler);
  };
  const dispatcher = Object.create(own, { dispatch: { value: dispatch } });
  try {
    return await globalThis.fetch(url, { ...init, dispatcher } as RequestInit);
  } catch (cause) {
    if (times > 1) return new Response(null, { status: 421 });
    throw cause;
  }
}

/**
 * Fetches with the function of the partner. One that knows another `Request`, such as that of another copy of undici, takes the
 * request for its URL, and the second argument for the rest. It would not know the `FormData` either, which is bytes therefore.
 */
async function fetchWith(
  fetch: NonNullable<CheckedOptions["fetch"]>,
  url: string,
  init: RequestInit,
): Promise<Response> {
  let sent = init;
  if (init.body instanceof FormData) {
    const form = new Response(init.body);
    const headers = new Headers(init.headers);
    headers.set("content-type", form.headers.get("content-type") as string);
    sent = { ...init, headers, body: await form.blob() };
  }
  const request = Object.defineProperty(new Request(url, sent), "toString", { value: () => url });
  return (fetch as (request: Request, init: RequestInit) => Promise<Response>)(request, sent);
}

/**
 * Reads a body. One of which nobody says how large it is, or that is compressed, is read by its chunks, so that no more of it
 * than the limit is ever in memory.
 */
async function readBody(response: Response, limit: number): Promise<ReceivedResponse> {
  const { headers, body } = response;
  if (typeof body?.getReader !== "function") return { response, text: await response.text(), isText: true };
  const length = Number(headers.get("content-length") ?? Infinity);
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (length <= limit && !headers.has("content-encoding")) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    chunks.push(bytes);
    size = bytes.length;
  } else {
    const reader = body.getReader();
    for (let read = await reader.read(); !read.done && size <= limit; read = await reader.read()) {
      size += read.value.length;
      chunks.push(read.value);
    }
    if (size > limit) reader.cancel().catch(() => {});
  }
  if (size > limit) return { response, text: undefined, isText: true };
  const { text, isUtf8 } = decode(chunks);
  return { response, text, isText: isUtf8 };
}

/**
 * Whether `fetch` and its dispatcher are those that Node has made. From version 26, Node has one for each of two interfaces:
 * the first is then the second one in a wrapper. A tool can replace either.
 */
function hasOwnFetch(): boolean {
  const [first, second] = dispatcherKeys.map((key) => dispatchers[key]);
  if (!isNodeFetch()) return false;
  const isWrapped = second !== undefined && isOwn(first, "Dispatcher1Wrapper");
  return (isWrapped || isOwn(first, "Agent")) && isOwn(second, "Agent");
}

/** Whether a dispatcher is absent, or one of a class of undici. One that was composed has another `dispatch`. */
function isOwn(dispatcher: Dispatcher | undefined, name: string): boolean {
  if (dispatcher === undefined) return true;
  const { constructor: type, dispatch } = dispatcher;
  return type.name === name && dispatch === type.prototype.dispatch;
}
