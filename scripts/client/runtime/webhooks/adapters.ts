/**
 * Adapters for servers without the standard Request and Response. Next.js and Hono need none: export the handler as
 * `POST`, or pass it `context.req.raw`.
 */
import { respond } from "./body.ts";
import type { WebhookHandler } from "./handler.ts";

/** The members of IncomingMessage (node:http, Express) that the adapter uses. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  url?: string | undefined;
  /** The whole URL: Express removes the mount path of a router from `url`. */
  originalUrl?: string;
  headers: Record<string, string | string[] | undefined>;
  /** Discards the rest of the body, so that the connection can be reused. */
  resume?(): unknown;
  /** The result of a body parser such as `express.json()`. */
  body?: unknown;
}

interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/**
 * Adapts a handler to node:http and Express, with or without a body parser before it.
 *
 * @param handler the result of `createWebhookHandler`.
 */
export function toNodeListener(
  handler: WebhookHandler,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const response = await answer(handler, () => toRequest(incoming, streamOf(incoming)));
    outgoing.statusCode = response.status;
    response.headers.forEach((value, name) => {
      outgoing.setHeader(name, value);
    });
    outgoing.end(await response.text());
    incoming.resume?.();
  };
}

/** The members of a Fastify instance that the adapter uses. */
interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parser: (request: unknown, payload: unknown, done: (error: null, body: unknown) => void) => void,
  ): unknown;
  all(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}

interface FastifyRequest {
  raw: NodeRequest;
}

interface FastifyReply {
  code(status: number): FastifyReply;
  headers(headers: Record<string, string>): FastifyReply;
  send(body: string): unknown;
}

/**
 * Adapts a handler to Fastify: `fastify.register(toFastifyPlugin(handler))`. The plugin handles every path of its scope.
 *
 * @param handler the result of `createWebhookHandler`.
 */
export function toFastifyPlugin(handler: WebhookHandler): (fastify: FastifyLike) => Promise<void> {
  return async (fastify) => {
    // The handler reads the body itself, so that its size limit and its responses apply.
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    fastify.all("/*", async ({ raw }, reply) => {
      const response = await answer(handler, () => toRequest(raw, raw));
      raw.resume?.();
      return reply
        .code(response.status)
        .headers(Object.fromEntries(response.headers))
        .send(await response.text());
    });
  };
}

/** A request that no Request can stand for, such as one with the method TRACE or a malformed target, is refused. */
async function answer(handler: WebhookHandler, makeRequest: () => Request): Promise<Response> {
  let request: Request;
  try {
    request = makeRequest();
  } catch {
    return respond(400, "The method or the target of the request cannot be used.");
  }
  return handler(request);
}

function streamOf(request: NodeRequest): AsyncIterable<Uint8Array> | string {
  const { body } = request;
  if (body === undefined || body === null) return request;
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  return typeof body === "string" ? body : JSON.stringify(body);
}

function toRequest(incoming: NodeRequest, body: AsyncIterable<Uint8Array> | string): Request {
  const method = incoming.method ?? "GET";
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, [value].flat().join(", "));
  }
  // Only the path is used, so that the host does not matter. A path that begins with two slashes is no host either.
  const target = incoming.originalUrl ?? incoming.url ?? "/";
  const url = new URL(target.startsWith("/") ? `http://localhost${target}` : target);
  const hasBody = method !== "GET" && method !== "HEAD";
  if (!hasBody) return new Request(url, { method, headers });
  if (typeof body === "string") headers.delete("content-length");
  const init = { method, headers, body: typeof body === "string" ? body : toStream(body), duplex: "half" };
  return new Request(url, init as RequestInit);
}

function toStream(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
