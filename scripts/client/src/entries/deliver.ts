import { type WebhookEvents, type WebhookName, webhookPaths } from "../../../../generated/client/webhooks.ts";
import { checkNames } from "../base/check-names.ts";
import type { DeliveryOptions } from "../testing/types.ts";
import { testEvent } from "./events.ts";

/** A receiver of webhooks: a handler of this package, or a function that takes a standard Request. */
export type Receiver = (request: Request) => Response | Promise<Response>;

/**
 * Delivers a webhook to a receiver as the service would, and returns the receiver's response. A handler recognises a repeated delivery by
 * the identifier of the event. The identifier in the example of the contract is fixed, so give each event its own.
 *
 * @example await deliver(handler, "p2pTransfer", testEvent("p2pTransfer", { status: "UNSUCCESSFUL" }), { authorization })
 * @param receiver a handler, a route, or any function of a standard Request.
 * @param event default: the example of the contract.
 * @param options.path required if the handler has a `basePath` or another path for this webhook.
 * @throws {TypeError} if `options` has an unknown option. The errors of the receiver are thrown too.
 */
export async function deliver<Name extends WebhookName>(
  receiver: Receiver,
  name: Name,
  event: WebhookEvents[Name] = testEvent(name),
  options: DeliveryOptions = {},
): Promise<Response> {
  checkNames("option of deliver", options, ["authorization", "path"]);
  const { authorization, path = webhookPaths[name] } = options;
  const headers = { "content-type": "application/json", ...(authorization !== undefined && { authorization }) };
  return receiver(new Request(`http://localhost${path}`, { method: "POST", headers, body: JSON.stringify(event) }));
}
