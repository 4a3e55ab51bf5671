// Run by Jest without configuration.
const { createPartnerClient, PartnerApiError } = require("partner-wallet-api");
const { createMock } = require("partner-wallet-api/mock");
const { failure } = require("partner-wallet-api/testing");
const { callService, receiveWebhook } = require("../../calls.cjs");

const { MAIN_URL: mainUrl, DEPOSIT_URL: depositUrl } = process.env;

test("calls the service", () => callService({ mainUrl, depositUrl }));

test("receives a webhook", receiveWebhook);

test("recognises an error of another copy of the package", async () => {
  const fetch = async () => Response.json({ errorCode: "P461" }, { status: 400 });
  const wallet = createPartnerClient({ baseUrl: mainUrl, depositBaseUrl: depositUrl, apiKey: "key", fetch });
  const { error } = await wallet.listUserCards({ path: { externalUserId: "user-1042" } });
  jest.resetModules();
  const again = require("partner-wallet-api");
  expect(again.PartnerApiError).not.toBe(PartnerApiError);
  expect(error).toBeInstanceOf(again.PartnerApiError);
});

test("gives the code under test a result", async () => {
  const mock = createMock();
  mock.respond("createTransfer", failure("createTransfer", "P433"));
  const wallet = createPartnerClient(mock.clientOptions);
  const body = { destinationExternalUserId: "user-1042", amount: "10.50", currency: "eur" };
  const { error } = await wallet.createTransfer({ body });
  expect(error).toBeInstanceOf(PartnerApiError);
  expect(error.errorCode).toBe("P433");
});
