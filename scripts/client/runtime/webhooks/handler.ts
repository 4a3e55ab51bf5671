/** Receives webhooks: a function from a standard Request to a standard Response. */
import type { WebhookTable } from "./contract.ts";
import { createMemoryStore, type DedupeStore, dedupeKeyOf } from "./dedupe.ts";
import { parseWithTable } from "./events.ts";
import { type Authorization, createTokenCheck } from "./token.ts";

/** The options of a webhook handler. */
export interface WebhookHandlerOptions<Events> {
  /** The expected value of the `Authorization` header. */
  authorization: Authorization;
  /** A function for each webhook to handle. It may be called again for an event that it failed to handle before. */
  on: { [Name in keyof Events]?: (event: Events[Name]) => void | Promise<void> };
  /**
   * How to treat a valid event that has no function in `on`: `acknowledge` it, `reject` it so that the service sends it
   * again, or call a function.
   */
  otherwise: "acknowledge" | "reject" | ((event: AnyEvent<Events>) => void | Promise<void>);
  /**
   * Detects repeated deliveries; `false` turns the detection off. Default: a store in the memory of this process. Events
   * without identifying fields are handled on every delivery, whatever is given here.
   */
  dedupe?: DedupeStore | false;
  /** Maximum size of a body in bytes. Default: 1 MiB. */
  maxBytes?: number;
  /** Path under which the handler is mounted, a prefix of the paths of the contract. Default: empty. */
  basePath?: string;
  /** Called with an error that a function or the store threw. The service is expected to deliver the event again. */
  onError?: (error: unknown, webhook: string) => void;
}

/** An event with the name of its webhook. */
export type AnyEvent<Events> = { [Name in keyof Events]: { name: Name; event: Events[Name] } }[keyof Events];

/** Handles the HTTP request of a webhook call. */
export type WebhookHandler = (request: Request) => Promise<Response>;

type UntypedFunction = (event: unknown) => void | Promise<void>;

/**
 * Creates a handler. Its responses: 200 with a JSON object (handled now or before), 400 malformed body, 401 missing or
 * wrong token, 404 unknown path, 405 method other than POST, 413 body too large, 500 a function threw, 503 not handled
 * now. The service is expected to deliver the event again after a 500 or 503.
 *
 * @typeParam Events the generated interface with the body of every webhook.
 * @throws {TypeError} when an option is missing or malformed.
 */
export function createHandler<Events>(table: WebhookTable, options: WebhookHandlerOptions<Events>): WebhookHandler {
  const { dedupe = createMemoryStore(), maxBytes = 1024 * 1024, basePath = "" } = options;
  const isAuthorized = createTokenCheck(options.authorization);
  checkFunctions(table, options as WebhookHandlerOptions<unknown>);

  return async (request) => {
    if (request.method !== "POST") return respond(405, "Webhooks use the method POST.", { allow: "POST" });
    const { pathname } = new URL(request.url);
    const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : "";
    if (!Object.values(table).some((webhook) => webhook.path === path))
      return respond(404, "No webhook has this path.");
    // Before the body is read, so that only authorized callers reach the parser.
    if (!(await isAuthorized(request.headers.get("authorization")))) return respond(401, "Access Denied");
    const body = await readText(request, maxBytes);
    if (body === undefined) return respond(413, `The body is larger than ${maxBytes} bytes.`);
    const parsed = parseWithTable<Record<string, unknown>>(table, path, body);
    if (!parsed.ok) return respond(parsed.status, parsed.reason);
    const handle = functionFor(options as WebhookHandlerOptions<unknown>, parsed.name, parsed.event);
    if (handle === undefined) return respond(503, "This webhook is not handled.");
    const key = dedupeKeyOf(parsed.name, table[parsed.name]?.dedupeKey ?? [], parsed.event);
    const store = dedupe === false || key === undefined ? undefined : claimable(dedupe, key);
    return deliverOnce(parsed.name, handle, store);
  };

  async function deliverOnce(name: string, handle: () => void | Promise<void>, store?: Claimable): Promise<Response> {
    try {
      const claim = await store?.claim();
      if (claim === "done") return respond(200);
      if (claim === "busy") return respond(503, "This event is being handled.");
    } catch (error) {
      options.onError?.(error, name);
      return respond(503, "The event could not be claimed.");
    }
    try {
      await handle();
      await store?.complete();
      return respond(200);
    } catch (error) {
      options.onError?.(error, name);
      await store?.release().catch((cause) => options.onError?.(cause, name));
      return respond(500, "The event could not be handled.");
    }
  }
}

/** A store bound to the key of one event. */
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

/** Reads the body as text; returns undefined as soon as it exceeds the limit. */
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

function respond(status: number, message?: string, headers: Record<string, string> = {}): Response {
  return Response.json(message === undefined ? {} : { message }, { status, headers });
}
