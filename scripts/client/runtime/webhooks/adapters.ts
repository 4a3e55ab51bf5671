/**
 * Adapters for servers that do not speak Request and Response. Next.js and Hono do: export the handler as `POST`, or
 * give it `context.req.raw`.
 */
import type { WebhookHandler } from "./handler.js";

/** The parts of node:http's IncomingMessage that the adapter needs; Express has them as well. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  url?: string | undefined;
  /** Express shortens `url` by the path under which a router is mounted, and keeps the whole one here. */
  originalUrl?: string;
  headers: Record<string, string | string[] | undefined>;
  /** Reads and drops what is left of the body, so that the connection can be used again. */
  resume?(): unknown;
  /** What a body parser such as `express.json()` left. */
  body?: unknown;
}

interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/** A listener for node:http, or a handler for Express. Works whether or not a body parser ran before. */
export function toNodeListener(
  handler: WebhookHandler,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const response = await handler(toRequest(incoming, streamOf(incoming)));
    outgoing.statusCode = response.status;
    response.headers.forEach((value, name) => {
      outgoing.setHeader(name, value);
    });
    outgoing.end(await response.text());
    incoming.resume?.();
  };
}

/** The parts of a Fastify instance that the adapter needs. */
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

/** A plugin for Fastify: `fastify.register(toFastifyPlugin(handler))`. It answers every path of its scope. */
export function toFastifyPlugin(handler: WebhookHandler): (fastify: FastifyLike) => Promise<void> {
  return async (fastify) => {
    // The handler reads the body itself, so that its limit and its answers hold.
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    fastify.all("/*", async ({ raw }, reply) => {
      const response = await handler(toRequest(raw, raw));
      raw.resume?.();
      return reply
        .code(response.status)
        .headers(Object.fromEntries(response.headers))
        .send(await response.text());
    });
  };
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
  // Only the path matters; the host is whatever the server was reached under.
  const url = new URL(incoming.originalUrl ?? incoming.url ?? "/", "http://localhost");
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
