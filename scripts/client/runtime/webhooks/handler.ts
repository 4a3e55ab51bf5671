/** Receives webhooks: a standard function from a Request to a Response, which fails closed. */
import type { WebhookTable } from "./contract.js";
import { createMemoryStore, type DedupeStore, dedupeKeyOf } from "./dedupe.js";
import { parseWithTable } from "./parse.js";
import { type Authorization, createTokenCheck } from "./token.js";

/** How events are received. */
export interface WebhookHandlerOptions<Events> {
  /** What the `Authorization` header must hold. */
  authorization: Authorization;
  /** One function per webhook that matters. It may be called again for an event whose handling failed before. */
  on: { [Name in keyof Events]?: (event: Events[Name]) => void | Promise<void> };
  /**
   * What to do with a valid event that has no function in `on`: `acknowledge` it, `reject` it so that the service sends it
   * again, or call a function.
   */
  otherwise: "acknowledge" | "reject" | ((event: AnyEvent<Events>) => void | Promise<void>);
  /**
   * Recognises repeated deliveries; the memory of this process by default, `false` for none. Events that carry nothing to
   * tell a repetition by are handled every time, whatever is given here.
   */
  dedupe?: DedupeStore | false;
  /** The largest body that is read, in bytes. 1 MiB by default. */
  maxBytes?: number;
  /** Path under which the receiver is mounted, put in front of the paths of the contract. Empty by default. */
  basePath?: string;
  /** Is told of an error that a function threw. The answer is a 500, so that the service delivers again. */
  onError?: (error: unknown, webhook: string) => void;
}

/** An event together with the name of its webhook. */
export type AnyEvent<Events> = { [Name in keyof Events]: { name: Name; event: Events[Name] } }[keyof Events];

export type WebhookHandler = (request: Request) => Promise<Response>;

type UntypedFunction = (event: unknown) => void | Promise<void>;

/**
 * Makes a receiver. Its answers: 200 with a JSON object (handled, or handled before), 400 malformed body, 401 missing or
 * wrong token, 404 unknown path, 405 not POST, 413 too large, 500 a function threw, 503 not handled now; the service is
 * expected to deliver again after the last two.
 *
 * @throws {TypeError} when an option is missing or malformed.
 */
export function createHandler<Events>(table: WebhookTable, options: WebhookHandlerOptions<Events>): WebhookHandler {
  const { dedupe = createMemoryStore(), maxBytes = 1024 * 1024, basePath = "" } = options;
  const isAuthorized = createTokenCheck(options.authorization);
  checkFunctions(table, options as WebhookHandlerOptions<unknown>);

  return async (request) => {
    if (request.method !== "POST") return answer(405, "Webhooks are posted.", { allow: "POST" });
    const { pathname } = new URL(request.url);
    const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : "";
    if (!Object.values(table).some((webhook) => webhook.path === path)) return answer(404, "No webhook has this path.");
    // Before anything of the body is read: nobody else gets to feed the parser.
    if (!(await isAuthorized(request.headers.get("authorization")))) return answer(401, "Access Denied");
    const body = await readText(request, maxBytes);
    if (body === undefined) return answer(413, `The body is larger than ${maxBytes} bytes.`);
    const parsed = parseWithTable(table, path, body);
    if (!parsed.ok) return answer(parsed.status, parsed.reason);
    const handle = functionFor(options as WebhookHandlerOptions<unknown>, parsed.name, parsed.event);
    if (handle === undefined) return answer(503, "This webhook is not handled here.");
    const key = dedupeKeyOf(parsed.name, table[parsed.name]?.dedupeKey ?? [], parsed.event);
    const store = dedupe === false || key === undefined ? undefined : claimable(dedupe, key);
    return deliverOnce(parsed.name, handle, store);
  };

  async function deliverOnce(name: string, handle: () => void | Promise<void>, store?: Claimable): Promise<Response> {
    try {
      const claim = await store?.claim();
      if (claim === "done") return answer(200);
      if (claim === "busy") return answer(503, "This event is being handled.");
    } catch (error) {
      options.onError?.(error, name);
      return answer(503, "The event could not be claimed.");
    }
    try {
      await handle();
      await store?.complete();
      return answer(200);
    } catch (error) {
      options.onError?.(error, name);
      await store?.release().catch((cause) => options.onError?.(cause, name));
      return answer(500, "The event could not be handled.");
    }
  }
}

/** A store, bound to the key of one event. */
type Claimable = { [Method in keyof DedupeStore]: () => ReturnType<DedupeStore[Method]> };

function claimable(store: DedupeStore, key: string): Claimable {
  return { claim: () => store.claim(key), complete: () => store.complete(key), release: () => store.release(key) };
}

function checkFunctions(table: WebhookTable, { on, otherwise }: WebhookHandlerOptions<unknown>): void {
  const unknown = Object.keys(on ?? {}).filter((name) => !Object.hasOwn(table, name));
  if (unknown.length > 0) {
    throw new TypeError(`There is no webhook ${unknown.join(", ")}. Webhooks: ${Object.keys(table).join(", ")}.`);
  }
  if (otherwise !== "acknowledge" && otherwise !== "reject" && typeof otherwise !== "function") {
    throw new TypeError('otherwise must be "acknowledge", "reject" or a function.');
  }
}

function functionFor(
  { on, otherwise }: WebhookHandlerOptions<unknown>,
  name: string,
  event: unknown,
): (() => void | Promise<void>) | undefined {
  const named = (on as Record<string, UntypedFunction | undefined>)[name];
  if (named !== undefined) return () => named(event);
  if (otherwise === "reject") return undefined;
  if (otherwise === "acknowledge") return () => undefined;
  return () => (otherwise as UntypedFunction)({ name, event });
}

/** The body as text, or undefined as soon as it is larger than the limit. */
async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) return undefined;
  const reader = request.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let size = 0;
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function answer(status: number, message?: string, headers: Record<string, string> = {}): Response {
  return Response.json(message === undefined ? {} : { message }, { status, headers });
}
