// A partner's CommonJS program that is type-checked against the installed package.
import client = require("partner-wallet-api");
import webhooks = require("partner-wallet-api/webhooks");

export const wallet: client.PartnerClient = client.createPartnerClient({
  baseUrl: "https://api.example",
  depositBaseUrl: "https://deposits.example",
  apiKey: "key",
});
export const event: webhooks.WebhookEvents["p2pTransfer"] = webhooks.testEvent("p2pTransfer");
