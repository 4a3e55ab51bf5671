import { createHmac } from "node:crypto";
import { type ClientRequest, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { readChunks } from "../../client/src/reading/index.ts";
import { readJson } from "../request/body.ts";
import { addressOf, type Target } from "./target.ts";

export interface OutgoingEvent {
  readonly target: Target;
  readonly path: string;
  readonly body: string;
  /** How the service authenticates itself; with the token when left out. */
  readonly authentication?: "token" | "signature" | "none" | undefined;
  readonly signal: AbortSignal;
}

/** Rejects when there is no response. */
export type Send = (event: OutgoingEvent) => Promise<Outcome>;

export interface Outcome {
  readonly status?: number;
  readonly problem?: string;
}

export const responseTimeoutMs = 10_000;

export const maxConcurrentDeliveries = 8;

export const acknowledgedStatus = 200;

/** Never rejects. @param stopSignal aborts the attempt. */
export async function attempt(
  event: Omit<OutgoingEvent, "signal">,
  {
    send = post,
    stopSignal,
    timeoutMs = responseTimeoutMs,
  }: { send?: Send | undefined; stopSignal?: AbortSignal; timeoutMs?: number } = {},
): Promise<Outcome> {
  const controller = new AbortController();
  const { signal } = controller;
  // After an abort, the attempt ends without waiting for the handler, which may ignore the signal.
  const abortOutcome = new Promise<Outcome>((resolve) => {
    signal.addEventListener("abort", () => resolve({ problem: (signal.reason as Error).message }));
  });
  const abort = (problem: string) => controller.abort(new Error(problem));
  const timer = setTimeout(() => abort(`no response within ${timeoutMs / 1000} s`), timeoutMs);
  const onStop = () => abort("given up");
  stopSignal?.addEventListener("abort", onStop);
  if (stopSignal?.aborted) onStop();
  try {
    const response = Promise.resolve({ ...event, signal }).then(send);
    return await Promise.race([abortOutcome, response.catch(problemOf)]);
  } finally {
    clearTimeout(timer);
    stopSignal?.removeEventListener("abort", onStop);
  }
}

export const post: Send = (event) => (event.target.handler === undefined ? postToUrl(event) : postToHandler(event));

async function postToHandler(event: OutgoingEvent): Promise<Outcome> {
  const { target, path, body, signal } = event;
  const request = new Request(addressOf(target, path), { method: "POST", headers: headersOf(event), body, signal });
  const response = (await target.handler?.(request)) as Response | undefined;
  if (typeof response?.status !== "number") throw new NoResponse("the handler returned no Response");
  return outcomeOf(response.status, response.body);
}

/** Uses a new connection, and does not follow redirects. */
function postToUrl(event: OutgoingEvent): Promise<Outcome> {
  const { target, path, body, signal } = event;
  return new Promise((resolve, reject) => {
    const address = addressOf(target, path);
    const send = address.protocol === "https:" ? requestHttps : requestHttp;
    const headers = { ...headersOf(event), "content-length": Buffer.byteLength(body) };
    const request: ClientRequest = send(address, { method: "POST", agent: false, headers, signal });
    request.on("error", reject);
    request.on("response", (response) => {
      const body = Readable.toWeb(response) as ReadableStream<Uint8Array>;
      outcomeOf(response.statusCode ?? 0, body).then(resolve, reject);
    });
    request.end(body);
  });
}

const maxResponseBytes = 1024 * 1024;

/** Only the status acknowledges the event; a 200 whose body is not a JSON object also gets a `problem`. */
async function outcomeOf(status: number, body: ReadableStream<Uint8Array> | null): Promise<Outcome> {
  const chunks: Uint8Array[] = [];
  const reader = body?.getReader();
  // Cancelling also destroys the connection.
  if (reader && !(await readChunks(reader, chunks, maxResponseBytes))) void reader.cancel().catch(() => {});
  const value = status === acknowledgedStatus ? readJson(Buffer.concat(chunks).toString()).value : {};
  const isJsonObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isJsonObject ? { status } : { status, problem: "the body of the response is not a JSON object, such as {}" };
}

function headersOf({ target: { token }, body, authentication = "token" }: OutgoingEvent): Record<string, string> {
  const content = { "content-type": "application/json" };
  if (token === undefined || authentication === "none") return content;
  if (authentication === "token") return { ...content, authorization: token };
  return { ...content, "x-signature": createHmac("sha256", token).update(body).digest("hex") };
}

class NoResponse extends Error {}

/** The message of the error is left out: it may contain the address or text of the receiver. */
function problemOf(error: unknown): Outcome {
  if (error instanceof NoResponse) return { problem: error.message };
  if (!(error instanceof Error)) return { problem: "the receiver threw an error" };
  const { code } = error as NodeJS.ErrnoException;
  if (typeof code !== "string") return { problem: `the receiver threw ${error.name}` };
  return { problem: connectionProblem(code) ?? `the call failed (${code})` };
}

export function connectionProblem(code: string): string | undefined {
  return connectionProblems.find(([pattern]) => pattern.test(code))?.[1];
}

const connectionProblems: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, "connection refused"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "no such host"],
  [/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/, "the connection broke"],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, "the host cannot be reached"],
  [/^HPE_/, "the response is no HTTP"],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, "no TLS connection"],
  [/CERT/, "the certificate is not trusted"],
];
