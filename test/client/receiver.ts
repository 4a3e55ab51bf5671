/** Webhook calls for tests, and a receiver that remembers everything that it is told. */
import { createWebhookHandler, type Deviation, type Refusal, webhookPaths } from "partner-wallet-api/webhooks";

export const webhookToken = "canary-token";

interface CallInit {
  token?: string | null;
  path?: string;
  method?: string;
}

/** A call of the service: a transfer event with the right token, unless told otherwise. */
export function webhookCall(body: unknown, init: CallInit = {}): Request {
  const { method = "POST", path = webhookPaths.p2pTransfer, token = webhookToken } = init;
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(`https://partner.example${path}`, {
    method,
    headers: token === null ? {} : { authorization: token },
    ...(hasBody ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
  });
}

type Options = Parameters<typeof createWebhookHandler>[0];

/** A receiver of every webhook. */
export function makeReceiver(options: Partial<Options> = {}) {
  const received: unknown[] = [];
  const nonconforming: unknown[] = [];
  const deviations: Deviation[] = [];
  const refused: [refusal: Refusal, raw: string | undefined][] = [];
  const handler = createWebhookHandler({
    authorization: webhookToken,
    on: {},
    otherwise: ({ event }) => void received.push(event),
    nonconforming: (name, body, violations) => void nonconforming.push({ name, body, violations }),
    onDeviation: (deviation) => void deviations.push(deviation),
    onRefused: (refusal, raw) => void refused.push([refusal, raw]),
    ...options,
  });
  return { handler, received, nonconforming, deviations, refused };
}
