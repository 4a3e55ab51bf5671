import {
  createWebhookHandler,
  type DeliveryContext,
  type Deviation,
  type Refusal,
  testEvent,
  type WebhookHandler,
  webhookPaths,
} from "partner-wallet-api/webhooks";

export type Options = Parameters<typeof createWebhookHandler>[0];

export const event = testEvent("p2pTransfer");

export function makeTransferReceiver(
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

export async function post(handler: WebhookHandler, body: object = event): Promise<number> {
  return (await handler(webhookCall(body))).status;
}

export function makeControlledHandler() {
  const runs: { succeed: () => void; fail: (error?: unknown) => void; context: DeliveryContext }[] = [];
  const handle = (_event: unknown, context: DeliveryContext) =>
    new Promise<void>((resolve, reject) => {
      runs.push({ succeed: resolve, fail: (error = new Error("late failure")) => reject(error), context });
    });
  return { runs, handle };
}

export const webhookToken = "canary-token";

interface CallInit {
  token?: string | null;
  path?: string;
  method?: string;
}

export function webhookCall(body: unknown, init: CallInit = {}): Request {
  const { method = "POST", path = webhookPaths.p2pTransfer, token = webhookToken } = init;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(`https://partner.example${path}`, {
    method,
    headers: token === null ? {} : { authorization: token },
    ...(hasBody ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
  });
}

export function makeReceiver(options: Partial<Options> = {}) {
  const receivedEvents: unknown[] = [];
  const nonconformingBodies: { name: string; body: unknown; violations: readonly object[] }[] = [];
  const deviations: Deviation[] = [];
  const refusals: [refusal: Refusal, raw: string | undefined][] = [];
  const handler = createWebhookHandler({
    authorization: webhookToken,
    on: {},
    otherwise: ({ event }) => void receivedEvents.push(event),
    nonconforming: (name, body, violations) => void nonconformingBodies.push({ name, body, violations }),
    onDeviation: (deviation) => void deviations.push(deviation),
    onRefused: (refusal, raw) => void refusals.push([refusal, raw]),
    ...options,
  });
  return { handler, received: receivedEvents, nonconformingBodies, deviations, refusals };
}
