// Runs in a process without other code, because Node initialises parts of its `fetch` with the first call.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createPartnerClient } from "partner-wallet-api";

const server = createServer();
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const baseUrl = `http://127.0.0.1:${server.address().port}`;
await new Promise((resolve) => server.close(resolve));

const wallet = createPartnerClient({ baseUrl, apiKey: "key" });
for (const attempt of ["first", "second"]) {
  const { error } = await wallet.createTransfer({
    body: { destinationExternalUserId: "user-1", amount: 1, currency: "eur" },
  });
  assert.equal(error?.outcome, "not-sent", `the ${attempt} call`);
}
console.log("Everything worked.");
