/** Delivers webhooks in tests. */
import type { DeliveryOptions } from "./types.ts";

/** What receives webhooks: a handler of this package, or a route or an application that takes a standard Request. */
export type Receiver = (request: Request) => Response | Promise<Response>;

/**
 * Calls a receiver as the service would: POST, with the event as JSON.
 *
 * @throws what the receiver throws.
 */
export async function deliverEvent(
  receiver: Receiver,
  path: string,
  event: unknown,
  { authorization }: DeliveryOptions,
): Promise<Response> {
  const headers = new Headers({ "content-type": "application/json" });
  if (authorization !== undefined) headers.set("authorization", authorization);
  return receiver(new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(event) }));
}
