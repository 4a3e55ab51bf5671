import client = require("partner-wallet-api");
import operations = require("partner-wallet-api/operations");
import testing = require("partner-wallet-api/testing");
import webhooks = require("partner-wallet-api/webhooks");

const options = { baseUrl: "https://api.example", depositBaseUrl: "https://deposits.example", apiKey: "key" };

export const wallet: client.PartnerClient = client.createPartnerClient(options);
export const operationsClient: operations.Client = operations.createClient(options);
export const amount: client.Decimal = client.toDecimal("10.50");
export const event: webhooks.WebhookEvents["p2pTransfer"] = webhooks.testEvent("p2pTransfer");

export function codeOf(error: client.PartnerApiError): string | undefined {
  return error.errorCode;
}

export const refusedTransfer = testing.failure("createTransfer", "P433");
