// A partner's program that requires the installed package.
const assert = require("node:assert/strict");
const { createPartnerClient } = require("partner-wallet-api");
const { webhookPaths } = require("partner-wallet-api/webhooks");

const wallet = createPartnerClient({
  baseUrl: process.env.MAIN_URL,
  depositBaseUrl: process.env.DEPOSIT_URL,
  apiKey: "key",
});
wallet.listUserCards({ path: { externalUserId: "user-1042" } }).then(({ data }) => {
  assert.ok(Array.isArray(data));
  assert.equal(webhookPaths.p2pTransfer, "/transfer-webhook");
  console.log("Everything worked.");
});
