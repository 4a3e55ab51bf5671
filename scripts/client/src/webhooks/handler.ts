import { notify } from "../base/notify.ts";
import type { Violation } from "../checks/deviations.ts";
import type { DecodedText } from "../reading/bytes.ts";
import { readText, reserializedRequests } from "./body.ts";
import { type HandlerConfig, toConfig } from "./config.ts";
import { keyOf } from "./dedupe/keys.ts";
import { type Action, handleDelivery } from "./delivery.ts";
import { encodingViolation, inspectText, notJsonReason, parseJson, reasonOf, unknownPathReason } from "./events.ts";
import type { UntypedOptions } from "./options.ts";
import { mustCloseConnection, respond } from "./respond.ts";
import { collapseSlashes, findWebhook, normalizePath, unknownPrefixOf } from "./routes.ts";
import type { WebhookTable } from "./table.ts";

/** Handles the HTTP request of a webhook call. It rejects only when the argument is not a Request. */
export type WebhookHandler = (request: Request) => Promise<Response>;

const alreadyReadReason =
  "The body was read before it reached the handler. Pass the handler the request unread, or a clone.";
const notSerializableReason =
  "A body parser made values that JSON does not have, such as a BigInt. Pass the handler the request unread, or its bytes as rawBody.";

interface Call {
  readonly config: HandlerConfig;
  readonly request: Request;
  /** The path without `basePath`; the whole path if it does not begin with `basePath`. */
  readonly path: string;
  readonly webhook: string | undefined;
}

interface ReadCall extends Call, DecodedText {}

export function makeWebhookHandler(
  table: WebhookTable,
  healthPath: string | undefined,
  options: object,
): WebhookHandler {
  const config = toConfig(table, healthPath, options);
  return async (request) => {
    if (typeof request?.headers?.get !== "function") {
      throw new TypeError("The handler takes a Request. For node:http and Express, pass it to toNodeListener.");
    }
    try {
      return await receive(config, request);
    } catch (error) {
      notify(config.onError, error, request.url);
      return respond(500, "The call could not be handled.");
    }
  };
}

async function receive(config: HandlerConfig, request: Request): Promise<Response> {
  const { table, paths, health, prefix } = config;
  const pathname = collapseSlashes(new URL(request.url).pathname);
  const hasPrefix = pathname.startsWith(`${prefix}/`);
  const path = hasPrefix ? pathname.slice(prefix.length) : pathname;
  const isHealthPath = hasPrefix && health !== false && normalizePath(path) === normalizePath(health);
  if (isHealthPath && ["GET", "HEAD", "POST"].includes(request.method)) return respond(200);
  const webhook = hasPrefix ? findWebhook(table, paths, path) : undefined;
  const mountHint = webhook === undefined ? mountHintFor(config, pathname) : undefined;
  const call: Call = { config, request, path, webhook };
  const closeHeader = mustCloseConnection((name) => request.headers.get(name)) ? { connection: "close" } : {};
  if (request.method !== "POST") {
    const allow = isHealthPath ? "GET, HEAD, POST" : "POST";
    return refuse(call, 405, "Webhooks use the method POST.", { allow, ...closeHeader });
  }
  if (webhook === undefined && config.unknown === undefined) {
    return refuse(call, 404, mountHint ?? unknownPathReason, closeHeader);
  }
  // The token is checked before the body is read, so that only authorized callers reach the parser.
  if (!(await config.isAuthorized(request.headers.get("authorization")))) {
    return refuse(call, 401, "Access Denied", closeHeader);
  }
  return receiveBody(call, mountHint, closeHeader);
}

async function receiveBody(call: Call, mountHint: string | undefined, closeHeader: object): Promise<Response> {
  const {
    request,
    webhook,
    config: { maxBytes, bodyTimeoutMs },
  } = call;
  const { problem } = reserializedRequests.get(request) ?? {};
  if (problem !== undefined) return respondToReadFailure(call, notSerializableReason, problem);
  if (request.bodyUsed || request.body?.locked) return respondToReadFailure(call, alreadyReadReason);
  const content = await readText(request, maxBytes, bodyTimeoutMs);
  if (content === 400) return refuse(call, 400, "The body could not be read to its end.");
  if (content === 408) return refuse(call, 408, "The body did not arrive in time.", { connection: "close" });
  if (content === 413) return refuse(call, 413, `The body is larger than ${maxBytes} bytes.`, closeHeader);
  if (webhook !== undefined) return receiveEvent({ ...call, ...content }, webhook);
  return mountHint === undefined ? receiveUnknown({ ...call, ...content }) : refuse(call, 404, mountHint);
}

function mountHintFor({ table, paths, prefix }: HandlerConfig, pathname: string): string | undefined {
  const unknownPrefix = unknownPrefixOf(table, paths, pathname);
  if (unknownPrefix === undefined || normalizePath(unknownPrefix) === prefix) return undefined;
  const mount = normalizePath(unknownPrefix) || "/";
  return `${unknownPathReason} Is the handler mounted under "${mount}"? Then give it basePath: "${mount}".`;
}

async function receiveUnknown(call: ReadCall): Promise<Response> {
  const { config, request, path, text, isUtf8 } = call;
  const body = parseJson(text, !reserializedRequests.has(request));
  if (body === undefined) return refuseText(call);
  notify(config.onDeviation, { pointer: "", rule: "path" });
  if (!isUtf8) notify(config.onDeviation, encodingViolation);
  return startDelivery(call, path, () => config.unknown?.({ path, body }));
}

async function receiveEvent(call: ReadCall, name: string): Promise<Response> {
  const { config, request, text, isUtf8 } = call;
  const inspectedBody = inspectText(config.table, name, call, !reserializedRequests.has(request));
  if (inspectedBody === undefined) return refuseText(call);
  const { body, typeViolations, violations } = inspectedBody;
  for (const violation of violations) notify(config.onDeviation, { webhook: name, ...violation });
  const action = actionFor(config, name, body, typeViolations);
  if (action === "not handled") return refuse(call, 503, "This webhook is not handled.");
  if (action === "not conforming")
    return refuse(call, 400, reasonOf(typeViolations[0] as Violation), {}, typeViolations);
  // The event is handled without deduplication, because different ids that are not valid UTF-8 may have equal texts.
  if (!isUtf8) return startDelivery(call, name, action);
  const { dedupeKey: fields = [] } = config.table[name] ?? {};
  const rule = config.keys[name];
  try {
    const key = await keyOf({ name, fields, rule, body, raw: text, conforms: typeViolations.length === 0 });
    return startDelivery(call, name, action, key);
  } catch (error) {
    notify(config.onError, error, name);
    return respond(500, "The event could not be identified.");
  }
}

function actionFor(
  { on, otherwise, nonconforming }: UntypedOptions,
  name: string,
  body: unknown,
  typeViolations: readonly Violation[],
): Action | "not handled" | "not conforming" {
  const handle = on[name];
  if (handle === undefined && otherwise === "acknowledge") return () => undefined;
  if (handle === undefined && otherwise === "reject") return "not handled";
  if (typeViolations.length > 0)
    return nonconforming === "reject"
      ? "not conforming"
      : (context) => nonconforming(name, body, typeViolations, context);
  // Called as a method of `on`, because `on` may be an object whose methods use `this`.
  if (handle !== undefined) return (context) => on[name]?.(body, context);
  return (context) => (otherwise as Exclude<typeof otherwise, string>)({ name, event: body }, context);
}

function startDelivery({ config, text }: ReadCall, name: string, action: Action, key?: string): Promise<Response> {
  return handleDelivery({ ...config, name, action, raw: text, key });
}

function refuseText(call: ReadCall): Response {
  const isCompressed = !/^(identity)?$/i.test(call.request.headers.get("content-encoding") ?? "");
  if (!isCompressed) return refuse(call, 400, notJsonReason);
  return refuse(call, 415, "A compressed body cannot be read.", { "accept-encoding": "identity" });
}

function refuse(
  call: Call & Partial<DecodedText>,
  status: number,
  reason: string,
  headers = {},
  violations?: readonly Violation[],
): Response {
  const { config, path, webhook, text } = call;
  const refusal = { status, reason, path, ...(webhook && { webhook }), ...(violations && { violations }) };
  notify(config.onRefused, refusal, text);
  return respond(status, reason, headers);
}

/** Responds with 500 instead of 400, because the partner's program is at fault and the service must deliver the event again. */
function respondToReadFailure({ config, webhook, path }: Call, reason: string, cause?: unknown): Response {
  notify(config.onError, new TypeError(reason, { cause }), webhook ?? path);
  return respond(500, reason);
}
