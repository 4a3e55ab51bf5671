/** A request whose target is sent exactly as it is; `fetch` would normalise it. */
import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";

export interface HttpResponse {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  /** As it was sent, compressed or not. */
  body: Buffer;
  text: string;
}

/**
 * Sends a request, over a connection of its own.
 *
 * @param siteUrl the address to connect to.
 * @param target the target of the request line.
 */
export async function ask(
  siteUrl: string,
  target: string,
  { headers = {}, method = "GET" }: { headers?: Record<string, string>; method?: string } = {},
): Promise<HttpResponse> {
  const { hostname, port } = new URL(siteUrl);
  const asked = request({ hostname, port, path: target, method, headers, agent: false }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  const body = await buffer(response);
  return { status: response.statusCode, headers: response.headers, body, text: body.toString() };
}
