import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { createPartnerClient } from "partner-wallet-api";
import { createMock, createMockHandlers } from "partner-wallet-api/mock";
import { afterAll, beforeEach, expect, test } from "vitest";

const baseUrl = "https://wallet.example/partner";
const depositBaseUrl = "https://deposit.wallet.example";

const mock = createMock({ clock: "2026-04-01T09:00:00Z", edition: "test" });
const otherHandler = http.get("https://elsewhere.example/", () => HttpResponse.text("elsewhere"));
const server = setupServer(otherHandler, ...createMockHandlers({ http, mock, baseUrl: `${baseUrl}/`, depositBaseUrl }));
server.listen({ onUnhandledRequest: "error" });
afterAll(() => server.close());
beforeEach(() => mock.reset());

const wallet = createPartnerClient({ baseUrl, depositBaseUrl, apiKey: mock.apiKey, edition: "test", retries: 0 });

test("lets client calls through to both addresses of the mock, beside other handlers", async () => {
  mock.users.create("user-7", { verified: true, funds: { eur: "5.00" } });
  const { data } = await wallet.getUserBalances({ path: { externalUserId: "user-7" } });
  expect(data?.fiatBalances).toMatchObject([{ amount: "5.00" }]);
  mock.partner.fund({ eur: "1.00" });
  const body = { destinationExternalUserId: "user-7", currency: "eur", amount: "2.00" } as const;
  expect((await wallet.createTransfer({ body })).error).toMatchObject({ errorCode: "P433" });
  expect(mock.verify({ operation: "createTransfer", times: 1, body: { amount: "2.00" } })).toBe(1);
  await wallet.getCryptoDepositDetails({ query: { externalId: "5b0f3ad0-2a4f-4a53-9d39-6c1f5c9d1f7e" } });
  mock.verify({ operation: "getCryptoDepositDetails" });
  expect(await (await fetch("https://elsewhere.example/")).text()).toBe("elsewhere");
});

test("reports a connection that a fault drops as a network error", async () => {
  mock.faults.add({ lose: "response" });
  const { error } = await wallet.getPartnerBalances();
  expect(error?.kind).toBe("network");
  expect((await wallet.getPartnerBalances()).status).toBe(200);
});
