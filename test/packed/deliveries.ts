/** Deliveries of one event to a receiver whose function and store are given. */
import {
  createWebhookHandler,
  type DeliveryContext,
  testEvent,
  type WebhookHandler,
  webhookPaths,
} from "partner-wallet-api/webhooks";

export type Options = Parameters<typeof createWebhookHandler>[0];

export const event = testEvent("p2pTransfer");

/** A handler whose function and store are given. It checks no token, so that a call needs no task of another thread. */
export function receiver(
  handle: NonNullable<Options["on"]["p2pTransfer"]>,
  options: Partial<Options> = {},
): WebhookHandler {
  return createWebhookHandler({
    authorization: { unverified: true },
    on: { p2pTransfer: handle },
    otherwise: "reject",
    nonconforming: "reject",
    ...options,
  });
}

/** Delivers the event and returns the status of the response. */
export async function post(handler: WebhookHandler, body: object = event): Promise<number> {
  const url = `https://partner.example${webhookPaths.p2pTransfer}`;
  return (await handler(new Request(url, { method: "POST", body: JSON.stringify(body) }))).status;
}

/** A function of the partner whose runs end when the test says so. */
export function controlled() {
  const runs: { succeed: () => void; fail: () => void; context: DeliveryContext }[] = [];
  const handle = (_event: unknown, context: DeliveryContext) =>
    new Promise<void>((resolve, reject) => {
      runs.push({ succeed: resolve, fail: () => reject(new Error("late failure")), context });
    });
  return { runs, handle };
}
