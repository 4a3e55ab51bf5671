/** A small service on loopback that answers what a test states, and every other call with 404. */
import type { IncomingMessage } from "node:http";
import { serveOnLoopback } from "./support.ts";

/** Status, and the body: a text as it is, anything else as JSON. */
export type Answer = readonly [status: number, body: unknown];

export interface Service {
  readonly url: string;
  /** `METHOD /path` of every call so far, without the query. */
  readonly calls: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a service on a free port.
 *
 * @param answers answers by `METHOD /path`.
 * @param otherwise the answer to every other call.
 */
export async function startService(
  answers: Readonly<Record<string, Answer>>,
  otherwise: Answer = [404, "Not Found"],
): Promise<Service> {
  const calls: string[] = [];
  const server = await serveOnLoopback((request, response) => {
    const call = `${request.method} ${pathOf(request)}`;
    calls.push(call);
    const [status, body] = answers[call] ?? otherwise;
    const isText = typeof body === "string" && !body.startsWith("{");
    response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json" });
    request.resume().on("end", () => response.end(typeof body === "string" ? body : JSON.stringify(body)));
  });
  return { ...server, calls };
}

function pathOf(request: IncomingMessage): string {
  return request.url?.split("?")[0] ?? "";
}
