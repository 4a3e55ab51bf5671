/** A proxy between a client and the service: forwards calls, and reports differences from the contract. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request as requestHttp,
  type ServerResponse,
} from "node:http";
import { request as requestHttps } from "node:https";
import { pipeline, Transform } from "node:stream";
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { didYouMean } from "../contract/messages/index.ts";
import type { Plan, PlanOperation } from "../mock/plan/index.ts";
import {
  type Address,
  BoundedBytes,
  type DecodedBody,
  decodeBody,
  findViolations,
  makeRouter,
} from "../mock/request/index.ts";
import { type Listening, listenOnBoth } from "../mock/server/index.ts";
import { connectionProblem } from "../mock/webhooks/index.ts";
import { type Drift, judgeResponse, responseLimit } from "./judge.ts";
import { safeName, safePointer } from "./masking.ts";
import type { SeenCall } from "./report.ts";

export interface ProxyOptions {
  readonly upstream: string;
  readonly depositUpstream: string;
  readonly port: number;
  readonly depositPort: number;
  /** Called when a call has ended, unless the client closes the connection before. */
  readonly onCall: (operationId: string, drift: readonly Drift[], seen?: SeenCall) => void;
}

const maxConnections = 64;

/** Milliseconds without data from the service after which a call ends. */
const silenceLimit = 120_000;

/** Starts the proxy on 127.0.0.1. Bodies are streamed; a body of up to 4 MiB is also kept, to be judged. */
export function startProxy(plan: Plan, options: ProxyOptions): Promise<Listening> {
  const { upstream, depositUpstream, port, depositPort } = options;
  const route = makeRouter(plan, "test");
  const server = (address: Address, to: string) => {
    const listener = createServer({ requestTimeout: 0 }, pass(address, new URL(to)));
    listener.maxConnections = maxConnections;
    return listener;
  };
  const servers = [server("base_url", upstream), server("deposit_base_url", depositUpstream)] as const;
  return listenOnBoth(...servers, { port, depositPort, host: "127.0.0.1" });

  function pass(address: Address, base: URL): RequestListener {
    return (request, response) => {
      const sent = keep();
      const received = keep();
      const startedAt = performance.now();
      let hasLeft = false;
      const tell = (rule: string, expected: string, seen = "") => {
        if (hasLeft) return;
        const found = routeOf(address, request);
        const operationId = found.kind === "operation" ? found.operation.operationId : undefined;
        options.onCall(operationId ?? "", [about("response", operationId, rule, expected, seen)]);
      };
      const send = base.protocol === "https:" ? requestHttps : requestHttp;
      const path = `${base.pathname.replace(/\/$/, "")}${request.url}`;
      const forward = send(base, {
        path,
        method: request.method,
        headers: headersTo(request, base.host),
        timeout: silenceLimit,
      });
      forward.on("timeout", () => forward.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })));
      forward.on("response", (incoming) => {
        response.sendDate = false;
        response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, incoming.rawHeaders);
        incoming.on("error", () => tell("broken", "a whole response", "the connection broke"));
        pipeline(incoming, received.stream, response, (error) => {
          if (!error)
            judge(address, request, incoming, { sent, received, milliseconds: performance.now() - startedAt }).catch(
              () => options.onCall("", [about("response", undefined, "judgement", "a response that can be judged")]),
            );
        });
      });
      forward.on("error", (error: NodeJS.ErrnoException) => {
        if (!response.headersSent)
          tell("no-response", "a response", connectionProblem(error.code ?? "") ?? error.code ?? "none");
        refuse(response, error);
      });
      response.on("close", () => {
        hasLeft = true;
        if (!response.writableFinished) forward.destroy();
      });
      pipeline(request, sent.stream, forward, () => undefined);
    };
  }

  function routeOf(address: Address, { method = "", url = "" }: IncomingMessage) {
    return route(address, method, new URL(url, "http://proxy").pathname);
  }

  async function judge(
    address: Address,
    request: IncomingMessage,
    incoming: IncomingMessage,
    { sent, received, milliseconds }: { sent: Kept; received: Kept; milliseconds: number },
  ): Promise<void> {
    const { searchParams: query } = new URL(request.url ?? "", "http://proxy");
    const found = routeOf(address, request);
    if (found.kind !== "operation") {
      const nearest = found.kind === "unknown" ? found.nearest : found.template;
      const expected = `no path of the contract with ${request.method}${nearest === undefined ? "" : `; the nearest is ${nearest}`}`;
      return options.onCall("", [about("request", undefined, "path", expected)]);
    }
    const { operation, pathParameters } = found;
    const { operationId, keyHeader = "" } = operation;
    const headers = request.headers as Record<string, string | undefined>;
    const bytes = sent.bytes();
    // A request body of more than 4 MiB was not kept, and is not judged.
    const requestBody = bytes && operation.requestBody;
    let body: DecodedBody = { kind: "absent" };
    if (requestBody) body = decodeBody(requestBody, { body: { bytes, tooLarge: false }, headers });
    const facts = { pathParameters, query, headers, body };
    const ofRequest = findViolations({ ...operation, requestBody }, facts).map((violation): Drift => {
      const expected = violation.kind === "security" ? `the header ${keyHeader} is missing` : violation.message;
      return about("request", operationId, violation.kind, expected);
    });
    ofRequest.push(...unlistedIn(operation, query, body));
    const { statusCode: status = 0, rawHeaders } = incoming;
    const raw = { status, headers: new Headers(pairsOf(rawHeaders)), bytes: decoded(incoming, received) };
    const { drift, fields } = await judgeResponse(operationId, raw, headers[keyHeader] || "none");
    options.onCall(operationId, [...ofRequest, ...(request.method === "HEAD" ? [] : drift)], { fields, milliseconds });
  }
}

function about(side: Drift["side"], operationId: string | undefined, rule: string, expected: string, seen = ""): Drift {
  return { side, ...(operationId !== undefined && { operationId }), pointer: "", rule, expected, seen };
}

function unlistedIn(
  { operationId, parameters, requestBody }: PlanOperation,
  query: URLSearchParams,
  body: DecodedBody,
): Drift[] {
  const known = parameters.filter((one) => one.in === "query").map(({ name }) => name);
  const { value, mediaType } = body.kind === "value" ? body : {};
  const { members = [] } = requestBody?.bodies.find((one) => one.mediaType === mediaType) ?? {};
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const sent = isObject && members.length > 0 ? Object.keys(value) : [];
  const unlisted = (rule: string, text: string, names: readonly string[], listed: readonly string[]) =>
    names
      .filter((name) => !listed.includes(name))
      .map((name) => about("request", operationId, rule, `${text} ${nameOf(name, listed)}`));
  return [
    ...unlisted("unlisted-parameter", "no query parameter", [...new Set(query.keys())], known),
    ...unlisted(
      "unlisted-field",
      "no field",
      sent.map((name) => `/${name}`),
      members,
    ),
  ];
}

/** The name of an unlisted field or parameter if it is safe to print, otherwise `*` and a similar known name. */
function nameOf(place: string, known: readonly string[]): string {
  const shown = place.startsWith("/") ? safePointer(place, "unlisted-field") : safeName(place);
  return shown.endsWith("*") ? `${shown}.${didYouMean(place, known)}` : shown;
}

type Kept = ReturnType<typeof keep>;

/** A stream, and the bytes that it has forwarded: undefined if they are more than {@link responseLimit}. */
function keep() {
  const kept = new BoundedBytes(responseLimit);
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      kept.add(chunk);
      done(null, chunk);
    },
  });
  return { stream, bytes: () => kept.concat() };
}

/** The headers in original order and case, with the service's host in `Host`. */
function headersTo({ rawHeaders, headers, method = "" }: IncomingMessage, host: string): string[] {
  const named = pairsOf(rawHeaders).flatMap(([name, value]) => [name, name.toLowerCase() === "host" ? host : value]);
  // Sets the length of an empty body, because Node would use chunked encoding.
  const isEmpty = headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
  return isEmpty && !["GET", "HEAD"].includes(method) ? [...named, "Content-Length", "0"] : named;
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] as string, raw[2 * index + 1] as string]);
}

function decoded({ headers }: IncomingMessage, kept: Kept): Buffer | undefined {
  const decoders: Record<string, typeof gunzipSync> = {
    gzip: gunzipSync,
    deflate: inflateSync,
    br: brotliDecompressSync,
  };
  const decode = decoders[headers["content-encoding"] ?? ""];
  const bytes = kept.bytes();
  try {
    return bytes && decode ? decode(bytes, { maxOutputLength: responseLimit }) : bytes;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? undefined : bytes;
  }
}

function refuse(response: ServerResponse, { code = "" }: NodeJS.ErrnoException): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(502, { "content-type": "text/plain; charset=utf-8" });
  response.end(
    `The proxy cannot reach the service: ${connectionProblem(code) ?? code}. Check --upstream and --deposit-upstream.\n`,
  );
}
