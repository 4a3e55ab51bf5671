import { notify, type Violation } from "../deviations.ts";
import { mustCloseConnection, readText, reserialised, respond, unwritable } from "./body.ts";
import { checkOptions } from "./check-options.ts";
import { keyOf } from "./dedupe/keys.ts";
import { createMemoryStore } from "./dedupe/memory.ts";
import { type Action, handleDelivery } from "./delivery.ts";
import { noSuchPath, notJson, notUtf8, parseJson, readBody, reasonOf } from "./events.ts";
import type { UntypedOptions } from "./options.ts";
import { findWebhook, joinSlashes, prefixOf, unknownPrefixOf, withoutSlash } from "./routes.ts";
import type { WebhookTable } from "./table.ts";
import { createTokenCheck } from "./token.ts";

/** Handles the HTTP request of a webhook call. It rejects only when the argument is not a Request. */
export type WebhookHandler = (request: Request) => Promise<Response>;

const readBefore = "The body was read before it reached the handler. Pass the handler the request unread, or a clone.";
const notWritable =
  "A body parser made values that JSON does not have, such as a BigInt. Pass the handler the request unread, or its bytes as rawBody.";

interface Call {
  path: string;
  webhook?: string;
  raw?: string;
}

interface ReadCall extends Call {
  raw: string;
  isUtf8: boolean;
}

export function makeWebhookHandler(
  table: WebhookTable,
  healthPath: string | undefined,
  options: object,
): WebhookHandler {
  const untyped = { ...options } as UntypedOptions;
  const health = untyped.health ?? healthPath ?? false;
  checkOptions(table, health, untyped);
  const { inbox, dedupe = inbox === undefined && createMemoryStore(), maxBytes = 1024 * 1024 } = untyped;
  const { bodyTimeoutMs = 30_000, handlerTimeoutMs: timeoutMs = 300_000 } = untyped;
  const { onError, acknowledge, waitUntil } = untyped;
  const paths = { ...untyped.paths };
  const keys = { ...untyped.keys };
  const prefix = prefixOf(untyped.basePath ?? "");
  const isAuthorized = createTokenCheck(untyped.authorization);

  return async (request) => {
    if (typeof request?.headers?.get !== "function") {
      throw new TypeError("The handler takes a Request. For node:http and Express, pass it to toNodeListener.");
    }
    try {
      return await receive(request);
    } catch (error) {
      notify(onError, error, request.url);
      return respond(500, "The call could not be handled.");
    }
  };

  async function receive(request: Request): Promise<Response> {
    const pathname = joinSlashes(new URL(request.url).pathname);
    const isBelow = pathname.startsWith(`${prefix}/`);
    const path = isBelow ? pathname.slice(prefix.length) : pathname;
    const isHealth = isBelow && health !== false && withoutSlash(path) === withoutSlash(health);
    if (isHealth && ["GET", "HEAD", "POST"].includes(request.method)) return respond(200);
    const webhook = isBelow ? findWebhook(table, paths, path) : undefined;
    const call: Call = { path, ...(webhook === undefined ? {} : { webhook }) };
    const ending = mustCloseConnection((name) => request.headers.get(name)) ? { connection: "close" } : {};
    if (request.method !== "POST") {
      const allow = isHealth ? "GET, HEAD, POST" : "POST";
      return refuse(call, 405, "Webhooks use the method POST.", { allow, ...ending });
    }
    if (webhook === undefined && untyped.unknown === undefined) {
      return refuse(call, 404, mountOf(pathname) ?? noSuchPath, ending);
    }
    // The token is checked before the body is read, so that only authorized callers reach the parser.
    if (!(await isAuthorized(request.headers.get("authorization")))) return refuse(call, 401, "Access Denied", ending);
    if (unwritable.has(request)) return failRead(webhook ?? path, notWritable, unwritable.get(request));
    if (request.bodyUsed || request.body?.locked) return failRead(webhook ?? path, readBefore);
    const content = await readText(request, maxBytes, bodyTimeoutMs);
    if (content === 400) return refuse(call, 400, "The body could not be read to its end.");
    if (content === 408) return refuse(call, 408, "The body did not arrive in time.", { connection: "close" });
    if (content === 413) return refuse(call, 413, `The body is larger than ${maxBytes} bytes.`, ending);
    const mount = webhook === undefined ? mountOf(pathname) : undefined;
    if (mount !== undefined) return refuse(call, 404, mount);
    const read = { ...call, raw: content.text, isUtf8: content.isUtf8 };
    return webhook === undefined ? receiveUnknown(read, request) : receiveEvent(read, request, webhook);
  }

  function mountOf(pathname: string): string | undefined {
    const found = unknownPrefixOf(table, paths, pathname);
    if (found === undefined || withoutSlash(found) === prefix) return undefined;
    const mount = withoutSlash(found) || "/";
    return `${noSuchPath} Is the handler mounted under "${mount}"? Then give it basePath: "${mount}".`;
  }

  /** Responds with 500 instead of 400, because the receiver is at fault and the service must deliver the event again. */
  function failRead(name: string, reason: string, cause?: unknown): Response {
    notify(onError, new TypeError(reason, { cause }), name);
    return respond(500, reason);
  }

  function refuse(
    call: Call,
    status: number,
    reason: string,
    headers = {},
    violations?: readonly Violation[],
  ): Response {
    const { raw, path, webhook } = call;
    const known = {
      ...(webhook === undefined ? {} : { webhook }),
      ...(violations === undefined ? {} : { violations }),
    };
    notify(untyped.onRefused, { status, reason, path, ...known }, raw);
    return respond(status, reason, headers);
  }

  function refuseText(call: Call, request: Request): Response {
    const isCoded = !/^(identity)?$/i.test(request.headers.get("content-encoding") ?? "");
    if (!isCoded) return refuse(call, 400, notJson);
    return refuse(call, 415, "A compressed body cannot be read.", { "accept-encoding": "identity" });
  }

  async function receiveUnknown(call: ReadCall, request: Request): Promise<Response> {
    const body = parseJson(call.raw, !reserialised.has(request));
    if (body === undefined) return refuseText(call, request);
    notify(untyped.onDeviation, { pointer: "", rule: "path" });
    if (!call.isUtf8) notify(untyped.onDeviation, notUtf8);
    return handOver(call.path, call.raw, () => untyped.unknown?.({ path: call.path, body }));
  }

  async function receiveEvent(call: ReadCall, request: Request, name: string): Promise<Response> {
    const received = readBody(table, name, { text: call.raw, isUtf8: call.isUtf8 }, !reserialised.has(request));
    if (received === undefined) return refuseText(call, request);
    const { body, breaks, violations } = received;
    for (const violation of violations) notify(untyped.onDeviation, { webhook: name, ...violation });
    const action = actionFor(untyped, name, body, breaks);
    if (action === "not handled") return refuse(call, 503, "This webhook is not handled.");
    if (action === "not conforming") return refuse(call, 400, reasonOf(breaks[0] as Violation), {}, breaks);
    // The event is handled without deduplication, because different ids that are not valid UTF-8 may have equal texts.
    if (!call.isUtf8) return handOver(name, call.raw, action);
    const { dedupeKey: fields = [] } = table[name] ?? {};
    const own = keys[name];
    try {
      const key = await keyOf({ name, fields, own, body, raw: call.raw, conforms: breaks.length === 0 });
      return handOver(name, call.raw, action, key);
    } catch (error) {
      notify(onError, error, name);
      return respond(500, "The event could not be identified.");
    }
  }

  function handOver(name: string, raw: string, action: Action, key?: string): Promise<Response> {
    return handleDelivery({ name, action, raw, key, store: dedupe, inbox, onError, acknowledge, waitUntil, timeoutMs });
  }
}

function actionFor(
  { on, otherwise, nonconforming }: UntypedOptions,
  name: string,
  body: unknown,
  breaks: readonly Violation[],
): Action | "not handled" | "not conforming" {
  const handle = on[name];
  if (handle === undefined && otherwise === "acknowledge") return () => undefined;
  if (handle === undefined && otherwise === "reject") return "not handled";
  if (breaks.length > 0)
    return nonconforming === "reject" ? "not conforming" : (context) => nonconforming(name, body, breaks, context);
  // Called as a method of `on`, because `on` may be an object whose methods use `this`.
  if (handle !== undefined) return (context) => on[name]?.(body, context);
  return (context) => (otherwise as Exclude<typeof otherwise, string>)({ name, event: body }, context);
}
