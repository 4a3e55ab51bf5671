/** A request whose target is sent exactly as it is; `fetch` would normalise it. */
import { type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";

export interface Answer {
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
export function ask(
  siteUrl: string,
  target: string,
  { headers = {}, method = "GET" }: { headers?: Record<string, string>; method?: string } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(siteUrl);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path: target, method, headers, agent: false }, async (response) => {
      try {
        const body = await buffer(response);
        resolve({ status: response.statusCode, headers: response.headers, body, text: body.toString() });
      } catch (error) {
        reject(error);
      }
    });
    asked.on("error", reject);
    asked.end();
  });
}
