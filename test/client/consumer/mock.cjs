const assert = require("node:assert/strict");

exports.useMock = async ({ createMock, startMock }, { createPartnerClient }) => {
  const mock = createMock({ seed: "consumer" });
  mock.users.create("user-1", { verified: true });
  assert.equal(typeof createPartnerClient(mock.clientOptions), "object");
  const path = "/v1/partner/balances";
  const headers = { "x-api-key": mock.apiKey };
  assert.equal((await mock.fetch(`${mock.baseUrl}${path}`, { headers })).status, 200);
  mock.close();
  const running = await startMock();
  assert.equal((await fetch(`${running.url}${path}`, { headers: { "x-api-key": running.apiKey } })).status, 200);
  await running.close();
  console.log("Everything worked.");
};

if (require.main === module) exports.useMock(require("partner-wallet-api/mock"), require("partner-wallet-api"));
