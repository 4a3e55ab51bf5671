import assert from "node:assert/strict";
import { createPartnerClient, unwrap } from "partner-wallet-api";
import contract from "partner-wallet-api/openapi.json" with { type: "json" };
import testContract from "partner-wallet-api/openapi.test.json" with { type: "json" };
import { testEvent, webhookPaths } from "partner-wallet-api/webhooks";
import { callService } from "./calls.mjs";
import { deliverTo } from "./deliveries.mjs";
import { handler } from "./receiver.mjs";

const { MAIN_URL: mainUrl, DEPOSIT_URL: depositUrl } = process.env;
await callService({ mainUrl, depositUrl });
await deliverTo("http://localhost", handler);
const testWallet = createPartnerClient({
  edition: "test",
  baseUrl: mainUrl,
  depositBaseUrl: depositUrl,
  apiKey: "key",
});
assert.ok(unwrap(await testWallet.listUserCards({ path: { externalUserId: "user-1042" } })));
assert.ok(Object.keys(webhookPaths).every((name) => testEvent(name)));
assert.match(contract.openapi, /^3\.1/);
assert.ok(Object.keys(contract.paths).every((path) => path in testContract.paths));
console.log("Everything worked.");
