import { notify } from "../base/notify.ts";
import { sharedMap } from "../base/shared-map.ts";
import { keepClaim, type Lease, storeTimeoutOf } from "./dedupe/lease.ts";
import type { Claimed, DedupeStore } from "./dedupe/store.ts";
import type { EventInbox, EventSql } from "./inbox.ts";
import { respond } from "./respond.ts";
import { startTimer, waitForStore } from "./timers.ts";

/** The last argument of the partner's functions in `on`, `otherwise` and `nonconforming`. */
export interface DeliveryContext {
  /** The name of the webhook. */
  readonly webhook: string;
  /** The text of the body as received; after a body parser such as `express.json()`, the parsed value serialized again. */
  readonly raw: string;
  /**
   * Identifies the event: the name of the webhook, `-`, and 64 hexadecimal digits; for an event that does not have the declared type,
   * `-nonconforming-` in place of `-`. The key can be the id of a job or the value of a unique index, and is also set with `dedupe: false`.
   * Undefined when nothing in the event identifies it, or its body is not valid UTF-8.
   */
  readonly key: string | undefined;
  /** Unique for this attempt to handle the event. Undefined without a key, with `dedupe: false`, and with an `inbox`. */
  readonly token: string | undefined;
  /**
   * Aborted when another delivery of the event may be handled at the same time: the store did not extend the claim, or the function took
   * longer than `handlerTimeoutMs`. The function must then stop and write nothing more. A claim that the store no longer has is noticed
   * when it is next extended, at most a third of `claimMs` later; if the store fails, the signal is aborted when the claim expires.
   */
  readonly signal: AbortSignal;
  /** With an `inbox`: runs a statement in the transaction that also marks the event as handled. */
  readonly sql?: EventSql;
}

export type Action = (context: DeliveryContext) => unknown;

export interface Delivery {
  /** The name of the webhook; the path of a call if no webhook has this path. */
  readonly name: string;
  readonly action: Action;
  readonly raw: string;
  readonly key: string | undefined;
  readonly dedupe: DedupeStore | false;
  readonly inbox?: EventInbox | undefined;
  readonly onError?: ((error: unknown, webhook: string) => void) | undefined;
  readonly acknowledge?: "after" | "first" | undefined;
  readonly waitUntil?: ((work: Promise<unknown>) => void) | undefined;
  readonly handlerTimeoutMs: number;
}

/** Milliseconds for which the response waits for the store after the function has ended. */
const settleTimeoutMs = 500;

/** This process has handled the events with these keys, but the store has not marked them yet. */
const unmarkedKeys = /* @__PURE__ */ sharedMap<DedupeStore, Set<string>>("events");

/** Does not use the store for an event without a key. */
export async function handleDelivery(delivery: Delivery): Promise<Response> {
  const { name, key, dedupe, onError, acknowledge, waitUntil } = delivery;
  const report = (error: unknown) => notify(onError, error, name);
  const controller = new AbortController();
  let lease: Lease | undefined;
  try {
    const claimResult = dedupe && key ? await claimEvent(dedupe, key, report, controller) : undefined;
    if (claimResult === "done") return respond(200);
    if (claimResult === "busy") return respond(503, "This event is being handled.");
    lease = claimResult;
  } catch (error) {
    report(error);
    return respond(503, "The event could not be claimed.");
  }
  const keepAlive = async (work: Promise<unknown>) => waitUntil?.(work);
  if (acknowledge === "first") {
    // The function starts in a later task, so that the response does not wait for its synchronous part.
    const handledDelivery = new Promise((resolve) => setTimeout(resolve)).then(() =>
      runAction(delivery, lease, report, controller),
    );
    keepAlive(handledDelivery.then(({ settled }) => settled)).catch(report);
    return respond(200);
  }
  const { response, settled } = await runAction(delivery, lease, report, controller);
  await waitForStore(settleTimeoutMs, () => settled).catch(() => void keepAlive(settled).catch(report));
  return response;
}

/** Maximum wait for the store to claim an event, because the service waits for the response. */
const maxClaimTimeoutMs = 5_000;

async function claimEvent(
  store: DedupeStore,
  key: string,
  report: (error: unknown) => void,
  controller: AbortController,
): Promise<"busy" | "done" | Lease> {
  const handledKeys = unmarkedKeys.get(store) ?? new Set();
  unmarkedKeys.set(store, handledKeys);
  if (handledKeys.has(key)) return "done";
  const claimedAt = performance.now();
  // The store may confirm a claim after the delivery was refused, for example if a disconnected Redis client queues commands. Such a claim
  // would block the event until it expires.
  const releaseLateClaim = async (lateResult: Claimed) => {
    if (lateResult.state === "new") await store.release(key, lateResult.token);
  };
  const timeoutMs = Math.min(storeTimeoutOf(store), maxClaimTimeoutMs);
  const claimResult = await waitForStore(
    timeoutMs,
    () => store.claim(key),
    (lateResult) => void releaseLateClaim(lateResult).catch(() => undefined),
  );
  const { state } = claimResult;
  if (state === "busy" || state === "done") return state;
  if (state === "new" && typeof claimResult.token === "string") {
    const lease = keepClaim(store, key, claimResult.token, claimedAt, report, controller);
    // If the store fails now, this process still knows that the event was handled, and does not handle it again.
    const complete = async () => {
      handledKeys.add(key);
      await lease.complete();
      handledKeys.delete(key);
    };
    return { ...lease, complete };
  }
  throw new TypeError(
    'claim of dedupe must resolve to { state: "new", token }, { state: "busy" } or { state: "done" }.',
  );
}

interface HandledDelivery {
  readonly response: Response;
  /** Resolves when the store has recorded the result or the retries have ended, and at once without a claim. Never rejects. */
  readonly settled: Promise<void>;
}

function runAction(
  delivery: Delivery,
  lease: Lease | undefined,
  report: (error: unknown) => void,
  controller: AbortController,
): Promise<HandledDelivery> {
  const { name, action, key, raw, inbox, handlerTimeoutMs } = delivery;
  const context = { webhook: name, raw, key, token: lease?.token, signal: controller.signal };
  const run = async () => {
    if (inbox === undefined) await action(context);
    else await inbox.take(key, (sql) => action({ ...context, sql }));
  };
  return new Promise((resolve) => {
    let settled: Promise<void> | undefined;
    const fail = (error: unknown, message: string): void => {
      // The abort reason is the error of the timeout or of the lost claim, which was reported.
      if (error !== controller.signal.reason) report(error);
      settled ??= Promise.resolve(lease?.release());
      resolve({ response: respond(500, message), settled });
    };
    const clear = startTimer(handlerTimeoutMs, () => {
      const error = new Error(`The function for ${name} took longer than ${handlerTimeoutMs} ms (handlerTimeoutMs).`);
      fail(error, "The event could not be handled in time.");
      controller.abort(error);
    });
    run()
      // An event counts as handled even if the function returns after its timeout.
      .then(
        () => resolve({ response: respond(200), settled: Promise.resolve(lease?.complete()) }),
        (error) => fail(error, "The event could not be handled."),
      )
      .finally(clear);
  });
}
