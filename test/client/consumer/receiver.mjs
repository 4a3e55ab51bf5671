import { createWebhookHandler } from "partner-wallet-api/webhooks";

export const handler = createWebhookHandler({
  authorization: "token",
  on: {
    p2pTransfer: (event) => {
      if (event.status === "REFUSED") throw new Error("The partner's function threw.");
    },
  },
  otherwise: "reject",
  nonconforming: "reject",
});
