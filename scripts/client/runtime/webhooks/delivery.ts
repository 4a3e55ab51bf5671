/** Hands an event to the partner's function, once. */
import { tell } from "../deviations.ts";
import { respond } from "./body.ts";
import { keepClaim, type Lease, patienceFor } from "./dedupe/lease.ts";
import type { Claimed, DedupeStore } from "./dedupe/store.ts";
import { within } from "./dedupe/timers.ts";

/** What a function of the partner is told besides the event. */
export interface DeliveryContext {
  /** The name of the webhook. */
  readonly webhook: string;
  /** Identifies the event in the store; undefined when a repeated delivery of it cannot be recognised. */
  readonly key: string | undefined;
  /** Identifies this attempt to handle the event: no other has the same token. Undefined without a key. */
  readonly token: string | undefined;
  /**
   * Aborted when another delivery of the event may be handled at the same time, because the store did not extend the
   * claim of this one: stop, and write nothing more. A lost claim is noticed when it is extended next, every third of
   * `claimMs`. Never aborted without a key. A function that never settles keeps its claim as long as its process runs.
   */
  readonly signal: AbortSignal;
}

/** Calls the partner's function with the event. */
export type Action = (context: DeliveryContext) => void | Promise<void>;

/** An event on its way to the partner's function. */
export interface Delivery {
  /** The webhook, or the path of a call on an unknown path, for `onError` and the context. */
  readonly name: string;
  readonly action: Action;
  /** The store and the key of the event in it, undefined when a repeated delivery is not recognised. */
  readonly claim: { readonly store: DedupeStore; readonly key: string } | undefined;
  readonly onError: ((error: unknown, webhook: string) => void) | undefined;
  /** When to respond: after the function, or first. */
  readonly acknowledge: "after" | "first" | undefined;
  /** Is given what is still to be done after the response. */
  readonly waitUntil: ((work: Promise<unknown>) => void) | undefined;
}

/**
 * Calls a function of the partner, unless the event was handled before. Never rejects.
 *
 * @returns 200 when the event was handled now or before, or is going to be handled after the response; 500 when the function
 * threw; 503 when the event is being handled by another delivery or the store failed.
 */
export async function deliver(delivery: Delivery): Promise<Response> {
  const { name, claim, onError, acknowledge, waitUntil } = delivery;
  const report = (error: unknown) => tell(onError, error, name);
  let lease: Lease | undefined;
  try {
    const claimed = claim && (await claimEvent(claim, report));
    if (claimed === "done") return respond(200);
    if (claimed === "busy") return respond(503, "This event is being handled.");
    lease = claimed;
  } catch (error) {
    report(error);
    return respond(503, "The event could not be claimed.");
  }
  if (acknowledge !== "first") return handle(delivery, lease, report);
  // The function starts in a later task, so that the response does not wait for its synchronous part.
  const work = new Promise((resolve) => setTimeout(resolve)).then(() => handle(delivery, lease, report));
  const handOver = async () => waitUntil?.(work);
  handOver().catch(report);
  return respond(200);
}

/** The longest time that a delivery waits for its claim, in milliseconds. */
const claimPatienceMs = 5_000;

/** Claims the event, and keeps the claim from then on. */
async function claimEvent(
  { store, key }: NonNullable<Delivery["claim"]>,
  report: (error: unknown) => void,
): Promise<"busy" | "done" | Lease> {
  const claimedAt = performance.now();
  // A client that queues commands may make the claim after the delivery was refused: nobody would handle the event.
  const releaseLate = async (late: Claimed) => {
    if (late.state === "new") await store.release(key, late.token);
  };
  const patienceMs = Math.min(patienceFor(store), claimPatienceMs);
  const claimed = await within(
    patienceMs,
    () => store.claim(key),
    (late) => void releaseLate(late).catch(() => undefined),
  );
  const { state } = claimed;
  if (state === "busy" || state === "done") return state;
  if (state === "new" && typeof claimed.token === "string") {
    return keepClaim(store, key, claimed.token, claimedAt, report);
  }
  throw new TypeError(
    'claim of dedupe must resolve to { state: "new", token }, { state: "busy" } or { state: "done" }.',
  );
}

async function handle(
  { name, action, claim }: Delivery,
  lease: Lease | undefined,
  report: (error: unknown) => void,
): Promise<Response> {
  const { token, signal = new AbortController().signal } = lease ?? {};
  try {
    await action({ webhook: name, key: claim?.key, token, signal });
  } catch (error) {
    report(error);
    await lease?.release();
    return respond(500, "The event could not be handled.");
  }
  // The event was handled: whatever the store does from here on, it must not be handled again.
  await lease?.complete();
  return respond(200);
}
