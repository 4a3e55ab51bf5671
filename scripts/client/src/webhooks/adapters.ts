import type { WebhookHandler } from "./handler.ts";
import { type ConvertedRequest, type NodeRequest, type NodeResponse, sendResponse, toRequest } from "./node.ts";
import { respond } from "./respond.ts";

/**
 * Adapts a handler to node:http and Express, with or without a body parser before it. A parser that keeps the text (`express.raw`,
 * `express.text`, `rawBody` of NestJS) keeps the exact amounts. `express.json()` does not: `exactNumbers` refuses its events, unless they
 * have no numbers.
 *
 * A refused caller has two seconds to send the rest of its body before the connection is closed. A body parser before the handler reads
 * bodies before the token is checked, within the time limit of the server: `requestTimeout`, which is five minutes by default in node:http
 * and unlimited in Fastify.
 *
 * @param handler the result of `createWebhookHandler`.
 * @returns a listener that neither throws nor rejects. Errors of a function that wraps the handler are written to the console.
 * @throws {TypeError} when the handler is not a function.
 */
export function toNodeListener(
  handler: WebhookHandler,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return listenerOf(handler, ({ originalUrl, url }) => originalUrl ?? url);
}

function listenerOf(
  handler: WebhookHandler,
  targetOf: (nodeRequest: NodeRequest) => string | undefined,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  if (typeof handler !== "function") throw new TypeError("Pass the result of createWebhookHandler.");
  return async (nodeRequest, nodeResponse) => {
    // Without a listener, the error of a lost connection would end the process.
    nodeRequest.on("error", ignore);
    nodeResponse.on("error", ignore);
    const convertedRequest = convertRequest(nodeRequest, targetOf(nodeRequest) ?? "/");
    const discard = () => convertedRequest?.discard();
    try {
      const response = convertedRequest
        ? await handler(convertedRequest.request)
        : respond(400, "The method or the target of the request cannot be used.");
      await sendResponse(response, nodeRequest, nodeResponse, discard);
    } catch (error) {
      console.error("A webhook call could not be answered:", error);
      await sendResponse(respond(500, "The call could not be answered."), nodeRequest, nodeResponse, discard).catch(
        ignore,
      );
    }
  };
}

/** Returns undefined for a request that `Request` cannot represent, such as one with the method TRACE or a malformed target. */
function convertRequest(nodeRequest: NodeRequest, target: string): ConvertedRequest | undefined {
  try {
    return toRequest(nodeRequest, target);
  } catch {
    return undefined;
  }
}

function ignore(): void {}

interface FastifyLike {
  all(path: string, options: { onRequest: FastifyHook }, handler: () => void): unknown;
}

type FastifyHook = (request: { raw: NodeRequest }, reply: FastifyReply) => Promise<void>;

interface FastifyReply {
  raw: NodeResponse;
  /** Tells Fastify not to send a response, because the adapter sends it. */
  hijack(): unknown;
}

/**
 * Adapts a handler to Fastify: `fastify.register(toFastifyPlugin(handler))`. The plugin handles every path of its scope.
 * With `{ prefix: "/hooks" }`, give the handler the `basePath` "/hooks" too.
 *
 * @param handler the result of `createWebhookHandler`.
 * @throws {TypeError} when the handler is not a function.
 */
export function toFastifyPlugin(handler: WebhookHandler): (fastify: FastifyLike) => Promise<void> {
  const listener = listenerOf(handler, ({ url }) => url);
  // Runs before Fastify parses the body or refuses its media type.
  const onRequest: FastifyHook = async (request, reply) => {
    reply.hijack();
    await listener(request.raw, reply.raw);
  };
  return async (fastify) => {
    fastify.all("/*", { onRequest }, ignore);
  };
}
