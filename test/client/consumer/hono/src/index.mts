import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { createPartnerClient, PartnerApiError } from "partner-wallet-api";
import { createWebhookHandler } from "partner-wallet-api/webhooks";

const { MAIN_URL: baseUrl = "", DEPOSIT_URL: depositBaseUrl = "" } = process.env;
const wallet = createPartnerClient({ baseUrl, depositBaseUrl, apiKey: "key" });

const receive = createWebhookHandler({
  authorization: "token",
  on: {
    p2pTransfer: (event) => {
      if (event.status === "REFUSED") throw new Error("The partner's function threw.");
    },
  },
  otherwise: "reject",
  nonconforming: "reject",
  basePath: "/hooks",
});

const app = new Hono();

app.get("/users/:externalUserId/cards", async (context) => {
  const path = { externalUserId: context.req.param("externalUserId") };
  const { data, error } = await wallet.listUserCards({ path });
  return error === undefined ? context.json({ cards: data.length }) : context.json({ error: error.message }, 502);
});

app.get("/users/:externalUserId/cards/refused", async (context) => {
  const path = { externalUserId: context.req.param("externalUserId") };
  const { error } = await wallet.listUserCards({ path, headers: { prefer: "code=400, example=P461" } });
  const message = error instanceof PartnerApiError ? error.errorCode : "The call was not refused.";
  return context.json({ message }, 422);
});

app.all("/hooks/*", (context) => receive(context.req.raw));

serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log(`http://127.0.0.1:${port}`));
