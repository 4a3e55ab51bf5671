// Run by ts-jest, which also checks the types.
import { createPartnerClient, PartnerApiError, unwrap } from "partner-wallet-api";

const { MAIN_URL: baseUrl = "", DEPOSIT_URL: depositBaseUrl = "" } = process.env;
const path = { externalUserId: "user-1042" };
const wallet = createPartnerClient({ baseUrl, depositBaseUrl, apiKey: "key" });

test("reads cards", async () => {
  const cards = unwrap(await wallet.listUserCards({ path }));
  expect(cards.length).toBeGreaterThan(0);
});

test("returns an error as a value", async () => {
  const { error } = await wallet.listUserCards({ path, headers: { prefer: "code=400, example=P461" } });
  expect(error).toBeInstanceOf(PartnerApiError);
  expect(error?.errorCode).toBe("P461");
});
