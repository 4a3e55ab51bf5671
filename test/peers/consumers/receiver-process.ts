/** A webhook receiver for two-receivers.test.ts. Arguments: the URL of Redis, and the time in milliseconds that the handler waits. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRedisStore, createWebhookHandler, toNodeListener } from "partner-wallet-api/webhooks";
import { createClient } from "redis";

const [url = "", workMs = "0"] = process.argv.slice(2);
const client = createClient({ url }).on("error", () => undefined);
await client.connect();

const sendLine = (line: object) => process.send?.(line);
process.on("unhandledRejection", () => sendLine({ hasFailed: true }));

const handler = createWebhookHandler({
  authorization: "token",
  on: {
    p2pTransfer: async ({ id }) => {
      sendLine({ startedId: id });
      await new Promise((resolve) => setTimeout(resolve, Number(workMs)));
      sendLine({ handledId: id });
    },
  },
  otherwise: "reject",
  nonconforming: "reject",
  dedupe: createRedisStore(client, { claimMs: 1000 }),
});
const server = createServer(toNodeListener(handler));
server.listen(0, "127.0.0.1", () => sendLine({ port: (server.address() as AddressInfo).port }));
