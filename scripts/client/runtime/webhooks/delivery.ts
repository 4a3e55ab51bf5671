/** Hands an event to the partner's function, once. */
import { tell } from "../deviations.ts";
import { respond } from "./body.ts";
import type { Claimable } from "./dedupe.ts";

/** Calls the partner's function with the event. */
export type Action = () => void | Promise<void>;

/**
 * Calls a function of the partner, unless the event was handled before.
 *
 * @param name the webhook, or the path of a call on an unknown path, for `onError`.
 * @param claim the event in the store, undefined when a repeated delivery is not recognised.
 * @returns 200 when the event was handled now or before; 500 when the function threw; 503 when the event is being handled or
 * the store failed.
 */
export async function deliver(
  name: string,
  action: Action,
  claim: Claimable | undefined,
  onError: ((error: unknown, webhook: string) => void) | undefined,
): Promise<Response> {
  try {
    const state = await claim?.claim();
    if (state === "done") return respond(200);
    if (state === "busy") return respond(503, "This event is being handled.");
  } catch (error) {
    tell(onError, error, name);
    return respond(503, "The event could not be claimed.");
  }
  try {
    await action();
    await claim?.complete();
    return respond(200);
  } catch (error) {
    tell(onError, error, name);
    await claim?.release().catch((cause) => tell(onError, cause, name));
    return respond(500, "The event could not be handled.");
  }
}
