import { notify, type Violation } from "../deviations.ts";
import { mustCloseConnection, readText, reserializedRequests, respond } from "./body.ts";
import { checkOptions } from "./check-options.ts";
import { keyOf } from "./dedupe/keys.ts";
import { createMemoryStore } from "./dedupe/memory.ts";
import { type Action, handleDelivery } from "./delivery.ts";
import { encodingViolation, notJsonReason, parseJson, readBody, reasonOf, unknownPathReason } from "./events.ts";
import type { UntypedOptions } from "./options.ts";
import { collapseSlashes, findWebhook, normalizeBasePath, normalizePath, unknownPrefixOf } from "./routes.ts";
import type { WebhookTable } from "./table.ts";
import { createTokenCheck } from "./token.ts";

/** Handles the HTTP request of a webhook call. It rejects only when the argument is not a Request. */
export type WebhookHandler = (request: Request) => Promise<Response>;

const alreadyReadReason =
  "The body was read before it reached the handler. Pass the handler the request unread, or a clone.";
const notSerializableReason =
  "A body parser made values that JSON does not have, such as a BigInt. Pass the handler the request unread, or its bytes as rawBody.";

interface WebhookCall {
  path: string;
  webhook?: string;
  raw?: string;
}

interface ReadCall extends WebhookCall {
  raw: string;
  isUtf8: boolean;
}

export function makeWebhookHandler(
  table: WebhookTable,
  healthPath: string | undefined,
  options: object,
): WebhookHandler {
  const handlerOptions = { ...options } as UntypedOptions;
  const health = handlerOptions.health ?? healthPath ?? false;
  checkOptions(table, health, handlerOptions);
  const { inbox, dedupe = inbox === undefined && createMemoryStore(), maxBytes = 1024 * 1024 } = handlerOptions;
  const { bodyTimeoutMs = 30_000, handlerTimeoutMs: timeoutMs = 300_000 } = handlerOptions;
  const { onError, acknowledge, waitUntil } = handlerOptions;
  const paths = { ...handlerOptions.paths };
  const keys = { ...handlerOptions.keys };
  const prefix = normalizeBasePath(handlerOptions.basePath ?? "");
  const isAuthorized = createTokenCheck(handlerOptions.authorization);

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
    const pathname = collapseSlashes(new URL(request.url).pathname);
    const hasPrefix = pathname.startsWith(`${prefix}/`);
    const path = hasPrefix ? pathname.slice(prefix.length) : pathname;
    const isHealthPath = hasPrefix && health !== false && normalizePath(path) === normalizePath(health);
    if (isHealthPath && ["GET", "HEAD", "POST"].includes(request.method)) return respond(200);
    const webhook = hasPrefix ? findWebhook(table, paths, path) : undefined;
    const call: WebhookCall = { path, ...(webhook === undefined ? {} : { webhook }) };
    const closeHeader = mustCloseConnection((name) => request.headers.get(name)) ? { connection: "close" } : {};
    if (request.method !== "POST") {
      const allow = isHealthPath ? "GET, HEAD, POST" : "POST";
      return refuse(call, 405, "Webhooks use the method POST.", { allow, ...closeHeader });
    }
    if (webhook === undefined && handlerOptions.unknown === undefined) {
      return refuse(call, 404, mountHintFor(pathname) ?? unknownPathReason, closeHeader);
    }
    // The token is checked before the body is read, so that only authorized callers reach the parser.
    if (!(await isAuthorized(request.headers.get("authorization"))))
      return refuse(call, 401, "Access Denied", closeHeader);
    const { problem } = reserializedRequests.get(request) ?? {};
    if (problem !== undefined) return respondToReadFailure(webhook ?? path, notSerializableReason, problem);
    if (request.bodyUsed || request.body?.locked) return respondToReadFailure(webhook ?? path, alreadyReadReason);
    const content = await readText(request, maxBytes, bodyTimeoutMs);
    if (content === 400) return refuse(call, 400, "The body could not be read to its end.");
    if (content === 408) return refuse(call, 408, "The body did not arrive in time.", { connection: "close" });
    if (content === 413) return refuse(call, 413, `The body is larger than ${maxBytes} bytes.`, closeHeader);
    const mount = webhook === undefined ? mountHintFor(pathname) : undefined;
    if (mount !== undefined) return refuse(call, 404, mount);
    const readCall = { ...call, raw: content.text, isUtf8: content.isUtf8 };
    return webhook === undefined ? receiveUnknown(readCall, request) : receiveEvent(readCall, request, webhook);
  }

  function mountHintFor(pathname: string): string | undefined {
    const unknownPrefix = unknownPrefixOf(table, paths, pathname);
    if (unknownPrefix === undefined || normalizePath(unknownPrefix) === prefix) return undefined;
    const mount = normalizePath(unknownPrefix) || "/";
    return `${unknownPathReason} Is the handler mounted under "${mount}"? Then give it basePath: "${mount}".`;
  }

  /** Responds with 500 instead of 400, because the receiver is at fault and the service must deliver the event again. */
  function respondToReadFailure(name: string, reason: string, cause?: unknown): Response {
    notify(onError, new TypeError(reason, { cause }), name);
    return respond(500, reason);
  }

  function refuse(
    call: WebhookCall,
    status: number,
    reason: string,
    headers = {},
    violations?: readonly Violation[],
  ): Response {
    const { raw, path, webhook } = call;
    const details = {
      ...(webhook === undefined ? {} : { webhook }),
      ...(violations === undefined ? {} : { violations }),
    };
    notify(handlerOptions.onRefused, { status, reason, path, ...details }, raw);
    return respond(status, reason, headers);
  }

  function refuseText(call: WebhookCall, request: Request): Response {
    const isCompressed = !/^(identity)?$/i.test(request.headers.get("content-encoding") ?? "");
    if (!isCompressed) return refuse(call, 400, notJsonReason);
    return refuse(call, 415, "A compressed body cannot be read.", { "accept-encoding": "identity" });
  }

  async function receiveUnknown(call: ReadCall, request: Request): Promise<Response> {
    const body = parseJson(call.raw, !reserializedRequests.has(request));
    if (body === undefined) return refuseText(call, request);
    notify(handlerOptions.onDeviation, { pointer: "", rule: "path" });
    if (!call.isUtf8) notify(handlerOptions.onDeviation, encodingViolation);
    return startDelivery(call.path, call.raw, () => handlerOptions.unknown?.({ path: call.path, body }));
  }

  async function receiveEvent(call: ReadCall, request: Request, name: string): Promise<Response> {
    const inspectedBody = readBody(
      table,
      name,
      { text: call.raw, isUtf8: call.isUtf8 },
      !reserializedRequests.has(request),
    );
    if (inspectedBody === undefined) return refuseText(call, request);
    const { body, errors, violations } = inspectedBody;
    for (const violation of violations) notify(handlerOptions.onDeviation, { webhook: name, ...violation });
    const action = actionFor(handlerOptions, name, body, errors);
    if (action === "not handled") return refuse(call, 503, "This webhook is not handled.");
    if (action === "not conforming") return refuse(call, 400, reasonOf(errors[0] as Violation), {}, errors);
    // The event is handled without deduplication, because different ids that are not valid UTF-8 may have equal texts.
    if (!call.isUtf8) return startDelivery(name, call.raw, action);
    const { dedupeKey: fields = [] } = table[name] ?? {};
    const rule = keys[name];
    try {
      const key = await keyOf({ name, fields, rule, body, raw: call.raw, conforms: errors.length === 0 });
      return startDelivery(name, call.raw, action, key);
    } catch (error) {
      notify(onError, error, name);
      return respond(500, "The event could not be identified.");
    }
  }

  function startDelivery(name: string, raw: string, action: Action, key?: string): Promise<Response> {
    return handleDelivery({ name, action, raw, key, store: dedupe, inbox, onError, acknowledge, waitUntil, timeoutMs });
  }
}

function actionFor(
  { on, otherwise, nonconforming }: UntypedOptions,
  name: string,
  body: unknown,
  errors: readonly Violation[],
): Action | "not handled" | "not conforming" {
  const handle = on[name];
  if (handle === undefined && otherwise === "acknowledge") return () => undefined;
  if (handle === undefined && otherwise === "reject") return "not handled";
  if (errors.length > 0)
    return nonconforming === "reject" ? "not conforming" : (context) => nonconforming(name, body, errors, context);
  // Called as a method of `on`, because `on` may be an object whose methods use `this`.
  if (handle !== undefined) return (context) => on[name]?.(body, context);
  return (context) => (otherwise as Exclude<typeof otherwise, string>)({ name, event: body }, context);
}
