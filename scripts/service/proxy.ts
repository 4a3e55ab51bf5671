/** Forwards the calls of a client, and reports where they differ from the contract. */
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from "node:http";
import { request as requestHttps } from "node:https";
import { pipeline } from "node:stream";
import type { Plan } from "../mock/plan/index.ts";
import { type Address, makeRouter, readTarget } from "../mock/request/index.ts";
import { type ListeningServers, listenOnBoth } from "../mock/server/index.ts";
import { connectionProblem } from "../mock/webhooks/index.ts";
import { BodyCopy, type Exchange, judgeExchange, pairsOf, responseDrift } from "./exchange.ts";
import type { Drift } from "./judge.ts";
import type { SeenCall } from "./report.ts";

export interface ProxyOptions {
  readonly upstream: string;
  readonly depositUpstream: string;
  readonly port: number;
  readonly depositPort: number;
  /** Called after each call, unless the client has closed the connection before. */
  readonly onCall: (operationId: string | undefined, drift: readonly Drift[], seen?: SeenCall) => void;
}

/** Limits the memory, because each call keeps copies of two bodies. Node closes a further connection, which the client sees as broken. */
const maxConnections = 64;

/** The proxy closes a connection to the service after this many milliseconds without data. */
const idleTimeoutMs = 120_000;

/** Listens on 127.0.0.1. Bodies are streamed; a copy of each body of up to 4 MiB is compared with the contract. */
export function startProxy(plan: Plan, options: ProxyOptions): Promise<ListeningServers> {
  const { upstream, depositUpstream, port, depositPort, onCall } = options;
  const route = makeRouter(plan, "test");
  const serverFor = (address: Address, base: URL) => {
    const server = createServer({ requestTimeout: 0 }, (request, response) => {
      const { method, path, query } = readTarget(request);
      const bodies = { requestBody: new BodyCopy(), responseBody: new BodyCopy() };
      const exchange = { request, route: route(address, method, path), query, ...bodies, startedAt: performance.now() };
      forward({ exchange, response, onCall }, base);
    });
    server.maxConnections = maxConnections;
    return server;
  };
  const servers = [
    serverFor("base_url", new URL(upstream)),
    serverFor("deposit_base_url", new URL(depositUpstream)),
  ] as const;
  return listenOnBoth(...servers, { port, depositPort, host: "127.0.0.1" });
}

interface ForwardedCall {
  readonly exchange: Exchange;
  readonly response: ServerResponse;
  readonly onCall: ProxyOptions["onCall"];
}

function forward(call: ForwardedCall, base: URL): void {
  const { exchange, response } = call;
  const upstreamRequest = requestTo(base, exchange.request);
  upstreamRequest.on("response", (upstreamResponse) => relay(call, upstreamResponse));
  upstreamRequest.on("upgrade", (_, socket) => {
    socket.destroy();
    const message = "The service changes the protocol, which the proxy does not forward.";
    refuse(call, message, "status", "no change of the protocol", "101");
  });
  upstreamRequest.on("error", ({ code = "" }: NodeJS.ErrnoException) => {
    const problem = connectionProblem(code) ?? code;
    const message = `The proxy cannot reach the service: ${problem}. Check --upstream and --deposit-upstream.`;
    refuse(call, message, "no-response", "a response", problem || "none");
  });
  response.on("close", () => {
    if (!response.writableFinished) upstreamRequest.destroy();
  });
  pipeline(exchange.request, exchange.requestBody, upstreamRequest, () => undefined);
}

function requestTo(base: URL, request: IncomingMessage): ClientRequest {
  const send = base.protocol === "https:" ? requestHttps : requestHttp;
  // A client that takes the proxy for a forward proxy sends the whole URL (RFC 9112, section 3.2.2).
  const path = request.url?.replace(/^https?:\/\/[^/?]*/i, "");
  const upstreamRequest = send(base, {
    method: request.method,
    path: `${base.pathname.replace(/\/$/, "")}${path}`,
    headers: headersFor(base.host, request),
    timeout: idleTimeoutMs,
  });
  upstreamRequest.on("timeout", () => upstreamRequest.destroy(Object.assign(new Error(), { code: "ETIMEDOUT" })));
  return upstreamRequest;
}

/** The headers of the request, in the same order and case. Only `Host` differs: it has the service's host. */
function headersFor(host: string, { rawHeaders, headers, method = "" }: IncomingMessage): string[] {
  const copiedHeaders = pairsOf(rawHeaders).flatMap(([name, value]) => [
    name,
    name.toLowerCase() === "host" ? host : value,
  ]);
  // The length of an empty body is set, because Node would otherwise use chunked encoding, for example for POST.
  const isEmpty = headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
  return isEmpty && !["GET", "HEAD"].includes(method) ? [...copiedHeaders, "Content-Length", "0"] : copiedHeaders;
}

/** Compares the response with the contract when it is complete. */
function relay(call: ForwardedCall, upstreamResponse: IncomingMessage): void {
  const { exchange, response, onCall } = call;
  if (!writeHead(response, upstreamResponse)) {
    const message = "The proxy cannot forward the status line of the service.";
    refuse(call, message, "status-line", "a valid status line", `the status ${upstreamResponse.statusCode}`);
    upstreamResponse.destroy();
    return;
  }
  upstreamResponse.on("error", () => reportBroken(call, "broken", "a whole response", "the connection broke"));
  pipeline(upstreamResponse, exchange.responseBody, response, (error) => {
    if (error) return;
    judgeExchange(exchange, upstreamResponse).then(
      ({ operationId, drift, seen }) => onCall(operationId, drift, seen),
      () => onCall(undefined, [responseDrift(undefined, "judgement", "a response that can be judged")]),
    );
  });
}

/** @returns false if Node refuses to write headers that it has accepted from the service. */
function writeHead(
  response: ServerResponse,
  { statusCode = 502, statusMessage, rawHeaders }: IncomingMessage,
): boolean {
  response.sendDate = false;
  try {
    response.writeHead(statusCode, statusMessage, rawHeaders);
    return true;
  } catch {
    return false;
  }
}

/** Reports the difference, and answers 502 in place of the service. If the response has begun, only breaks it off. */
function refuse(
  call: ForwardedCall,
  message: string,
  ...difference: [rule: string, expected: string, seen: string]
): void {
  const { response } = call;
  if (response.headersSent) return void response.destroy();
  reportBroken(call, ...difference);
  response.writeHead(502, "Bad Gateway", { "content-type": "text/plain; charset=utf-8" });
  response.end(`${message}\n`);
}

/** Reports a call without a whole response, unless the client has closed the connection. */
function reportBroken(
  { exchange, response, onCall }: ForwardedCall,
  rule: string,
  expected: string,
  seen: string,
): void {
  if (response.closed) return;
  const drift = responseDrift(exchange, rule, expected, seen);
  onCall(drift.operationId, [drift]);
}
