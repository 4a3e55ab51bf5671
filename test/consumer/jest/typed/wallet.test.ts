// A partner's tests in TypeScript, run by Jest with ts-jest, which also checks their types.
import { createPartnerClient, PartnerApiError, unwrap } from "partner-wallet-api";
import { createFakeClient, failure } from "partner-wallet-api/testing";
import { createWebhookHandler, testEvent, webhookPaths } from "partner-wallet-api/webhooks";

const { MAIN_URL: baseUrl = "", DEPOSIT_URL: depositBaseUrl = "" } = process.env;
const path = { externalUserId: "user-1042" };
const wallet = createPartnerClient({ baseUrl, depositBaseUrl, apiKey: "key" });

test("reads cards", async () => {
  const cards = unwrap(await wallet.listUserCards({ path }));
  expect(cards.length).toBeGreaterThan(0);
});

test("gets an error as a value", async () => {
  const { error } = await wallet.listUserCards({ path, headers: { prefer: "code=400, example=P461" } });
  expect(error).toBeInstanceOf(PartnerApiError);
  expect(error?.errorCode).toBe("P461");
});

test("receives a webhook", async () => {
  const amounts: string[] = [];
  const handler = createWebhookHandler({
    authorization: "token",
    on: { p2pTransfer: ({ amount }) => void amounts.push(amount) },
    otherwise: "reject",
    nonconforming: "reject",
  });
  const event = testEvent("p2pTransfer");
  const init = { method: "POST", headers: { authorization: "token" }, body: JSON.stringify(event) };
  const { status } = await handler(new Request(`http://localhost${webhookPaths.p2pTransfer}`, init));
  expect([status, amounts]).toEqual([200, [event.amount]]);
});

test("gives the code under test a fake client", async () => {
  const fake = createFakeClient({ createTransfer: failure("createTransfer", "P433") });
  const body = { destinationExternalUserId: "user-1042", amount: "10.50", currency: "eur" } as const;
  const { error } = await fake.createTransfer({ body });
  expect(error).toBeInstanceOf(PartnerApiError);
  expect(error?.errorCode).toBe("P433");
});
