import { createWebhookHandler, type WebhookHandler } from "partner-wallet-api/webhooks";

export function createReceiver(basePath: string): WebhookHandler {
  return createWebhookHandler({
    authorization: "token",
    on: {
      p2pTransfer: (event) => {
        if (event.status === "REFUSED") throw new Error("The partner's function threw.");
      },
    },
    otherwise: "reject",
    nonconforming: "reject",
    basePath,
  });
}
