/**
 * A receiver of webhooks in a process of its own, for the test beside it. Its store is in Redis; its function takes a while and then
 * writes that the event was handled.
 *
 * Arguments: the URL of Redis, and how long the function takes in milliseconds.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRedisStore, createWebhookHandler, toNodeListener } from "partner-wallet-api/webhooks";
import { createClient } from "redis";

const [url = "", workMs = "0"] = process.argv.slice(2);
const client = createClient({ url }).on("error", () => undefined);
await client.connect();

const tell = (line: object) => process.send?.(line);
process.on("unhandledRejection", () => tell({ fatal: true }));

const handler = createWebhookHandler({
  authorization: "token",
  on: {
    p2pTransfer: async ({ id }) => {
      tell({ began: id });
      await new Promise((resolve) => setTimeout(resolve, Number(workMs)));
      tell({ done: id });
    },
  },
  otherwise: "reject",
  nonconforming: "reject",
  dedupe: createRedisStore(client, { claimMs: 1000 }),
});
const server = createServer(toNodeListener(handler));
server.listen(0, "127.0.0.1", () => tell({ port: (server.address() as AddressInfo).port }));
