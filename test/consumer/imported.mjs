// A partner's program that imports the installed package.
import assert from "node:assert/strict";
import { createPartnerClient, PartnerApiError, unwrap } from "partner-wallet-api";
import contract from "partner-wallet-api/openapi.json" with { type: "json" };
import { createPartnerClient as createTestClient } from "partner-wallet-api/test";
import { webhookPaths } from "partner-wallet-api/webhooks";

const options = { baseUrl: process.env.MAIN_URL, depositBaseUrl: process.env.DEPOSIT_URL, apiKey: "key" };
const wallet = createPartnerClient(options);
const path = { externalUserId: "user-1042" };

assert.ok(Array.isArray(unwrap(await wallet.listUserCards({ path }))));
const { error } = await wallet.listUserCards({ path, headers: { prefer: "code=400, example=P461" } });
assert.ok(error instanceof PartnerApiError);
assert.equal(error.errorCode, "P461");
const deposit = await wallet.getCryptoDepositDetails({ query: { externalId: "3e5a9c17-d8f4-4b20-86e1-f9c7a0d3b542" } });
assert.equal(unwrap(deposit).currency, "BTC");
assert.ok(unwrap(await createTestClient(options).listUserCards({ path })));
assert.equal(webhookPaths.p2pTransfer, "/transfer-webhook");
assert.match(contract.openapi, /^3\.1/);
