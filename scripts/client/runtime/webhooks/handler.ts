/** Receives webhooks: a function from a standard Request to a standard Response. */
import { tell, type Violation } from "../deviations.ts";
import { readText, respond } from "./body.ts";
import type { WebhookTable } from "./contract.ts";
import { claimable, createMemoryStore, dedupeKeyOf } from "./dedupe.ts";
import { type Action, deliver } from "./delivery.ts";
import { noSuchPath, notJson, parseJson, readBody, reasonOf } from "./events.ts";
import { checkOptions, type UntypedOptions, type WebhookHandlerOptions } from "./options.ts";
import { findWebhook } from "./routes.ts";
import { createTokenCheck } from "./token.ts";

/** Handles the HTTP request of a webhook call. */
export type WebhookHandler = (request: Request) => Promise<Response>;

/** A webhook call on its way through the handler. */
interface Call {
  path: string;
  webhook?: string;
  /** The text of the body, once it was read. */
  raw?: string;
}

/** Instead of the text of a body whose connection was lost. */
const unreadable = Symbol("unreadable");

/**
 * Creates a handler. Its responses: 200 with a JSON object (handled now or before), 400 no JSON or a body that breaks its
 * type, 401 missing or wrong token, 404 unknown path, 405 method other than POST, 413 body too large, 500 a function
 * threw, 503 not handled now. The service is expected to deliver the event again after a 500 or 503.
 *
 * @typeParam Events the generated interface with the body of every webhook.
 * @param healthPath the path of the contract that the service checks, undefined when none is known.
 * @throws {TypeError} when an option is missing or malformed.
 */
export function createHandler<Events>(
  table: WebhookTable,
  healthPath: string | undefined,
  typedOptions: WebhookHandlerOptions<Events>,
): WebhookHandler {
  const options = typedOptions as unknown as UntypedOptions;
  const { paths = {}, dedupe = createMemoryStore(), maxBytes = 1024 * 1024, basePath = "" } = options;
  const health = options.health ?? healthPath ?? false;
  const isAuthorized = createTokenCheck(options.authorization);
  checkOptions(table, health, options);

  return async (request) => {
    const { pathname } = new URL(request.url);
    const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : "";
    const isHealth = path === health;
    if (isHealth && ["GET", "HEAD", "POST"].includes(request.method)) return respond(200);
    const webhook = findWebhook(table, paths, path);
    const call: Call = { path, ...(webhook === undefined ? {} : { webhook }) };
    if (request.method !== "POST") {
      return refuse(call, 405, "Webhooks use the method POST.", { allow: isHealth ? "GET, HEAD, POST" : "POST" });
    }
    if (webhook === undefined && options.unknown === undefined) return refuse(call, 404, noSuchPath);
    // Before the body is read, so that only authorized callers reach the parser.
    if (!(await isAuthorized(request.headers.get("authorization")))) return refuse(call, 401, "Access Denied");
    const raw = await readText(request, maxBytes).catch((): typeof unreadable => unreadable);
    if (raw === unreadable) return refuse(call, 400, "The body could not be read to its end.");
    if (raw === undefined) return refuse(call, 413, `The body is larger than ${maxBytes} bytes.`);
    return webhook === undefined ? receiveUnknown({ ...call, raw }) : receiveEvent({ ...call, raw }, webhook);
  };

  function refuse(
    call: Call,
    status: number,
    reason: string,
    headers = {},
    violations?: readonly Violation[],
  ): Response {
    const { raw, ...rest } = call;
    tell(options.onRefused, { status, reason, ...rest, ...(violations === undefined ? {} : { violations }) }, raw);
    return respond(status, reason, headers);
  }

  async function receiveUnknown(call: Call): Promise<Response> {
    const body = parseJson(call.raw ?? "");
    if (body === undefined) return refuse(call, 400, notJson);
    tell(options.onDeviation, { pointer: "", rule: "path" });
    return deliver(call.path, () => options.unknown?.({ path: call.path, body }), undefined, options.onError);
  }

  async function receiveEvent(call: Call, name: string): Promise<Response> {
    const received = readBody(table, name, call.raw ?? "");
    if (received === undefined) return refuse(call, 400, notJson);
    const { body, breaks, violations } = received;
    for (const violation of violations) tell(options.onDeviation, { webhook: name, ...violation });
    const action = actionFor(options, name, body, breaks);
    if (action === "not handled") return refuse(call, 503, "This webhook is not handled.");
    if (action === "not conforming") return refuse(call, 400, reasonOf(breaks[0] as Violation), {}, breaks);
    // An event that conforms is not taken for a repetition of one that did not.
    const kind = breaks.length > 0 ? `${name}!nonconforming` : name;
    const key = dedupe === false ? undefined : dedupeKeyOf(kind, table[name]?.dedupeKey ?? [], body);
    const claim = dedupe === false || key === undefined ? undefined : claimable(dedupe, key);
    return deliver(name, action, claim, options.onError);
  }
}

/** What to do with a body, by the policies of the partner. */
function actionFor(
  { on, otherwise, nonconforming }: UntypedOptions,
  name: string,
  body: unknown,
  breaks: readonly Violation[],
): Action | "not handled" | "not conforming" {
  const handle = on[name];
  if (handle === undefined && otherwise === "acknowledge") return () => undefined;
  if (handle === undefined && otherwise === "reject") return "not handled";
  if (breaks.length > 0) return nonconforming === "reject" ? "not conforming" : () => nonconforming(name, body, breaks);
  if (handle !== undefined) return () => handle(body);
  return () => (otherwise as Exclude<typeof otherwise, string>)({ name, event: body });
}
