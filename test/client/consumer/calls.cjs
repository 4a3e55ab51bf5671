const assert = require("node:assert/strict");
const { createPartnerClient, PartnerApiError, unwrap } = require("partner-wallet-api");
const { createClient, getUserBalances } = require("partner-wallet-api/operations");
const { createWebhookHandler, testEvent, webhookPaths } = require("partner-wallet-api/webhooks");

const path = { externalUserId: "user-1042" };

/** @param {{ mainUrl: string, depositUrl: string }} addresses */
async function callService({ mainUrl, depositUrl }) {
  const reportedRules = [];
  const onDeviation = (deviation) => reportedRules.push(deviation.rule);
  const options = { baseUrl: mainUrl, depositBaseUrl: depositUrl, apiKey: "key", onDeviation };
  const wallet = createPartnerClient(options);
  assert.ok(Array.isArray(unwrap(await wallet.listUserCards({ path }))));

  const balances = unwrap(await getUserBalances(createClient(options), { path }));
  assert.ok(Array.isArray(balances.fiatBalances));

  const { error } = await wallet.listUserCards({ path, headers: { prefer: "code=400, example=P461" } });
  assert.ok(error instanceof PartnerApiError);
  assert.equal(error.errorCode, "P461");
  assert.deepEqual(reportedRules, []);

  // The schemas of the responses are loaded with import(), and only for `onDeviation`.
  const respond = async () => Response.json({ transferId: "seven" }, { status: 299 });
  const body = { destinationExternalUserId: "user-1042", amount: "10.50", currency: "eur" };
  const { data } = await createPartnerClient({ ...options, fetch: respond }).createTransfer({ body });
  assert.equal(data.transferId, "seven");
  assert.deepEqual(reportedRules, ["status", "format"]);
}

async function receiveWebhook() {
  const received = [];
  const handler = createWebhookHandler({
    authorization: "token",
    on: { p2pTransfer: (event) => void received.push(event) },
    otherwise: "reject",
    nonconforming: "reject",
  });
  const event = testEvent("p2pTransfer");
  const init = { method: "POST", headers: { authorization: "token" }, body: JSON.stringify(event) };
  for (let times = 0; times < 2; times += 1) {
    const response = await handler(new Request(`http://localhost${webhookPaths.p2pTransfer}`, init));
    assert.equal(response.status, 200);
  }
  assert.deepEqual(received, [event]);
}

module.exports = { callService, receiveWebhook };
