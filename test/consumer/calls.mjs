// What a partner's program calls, wherever it runs.
import { createPartnerClient, PartnerApiError, unwrap } from "partner-wallet-api";

/**
 * Calls the mock on both addresses and provokes a documented error.
 *
 * @param {{ mainUrl: string, depositUrl: string }} addresses
 * @throws {Error} when an answer is not the documented one.
 */
export async function callService({ mainUrl, depositUrl }) {
  const wallet = createPartnerClient({ baseUrl: mainUrl, depositBaseUrl: depositUrl, apiKey: "key" });
  const path = { externalUserId: "user-1042" };

  const cards = unwrap(await wallet.listUserCards({ path }));
  if (!Array.isArray(cards)) throw new Error("The cards are no list.");

  const { error } = await wallet.listUserCards({ path, headers: { prefer: "code=400, example=P461" } });
  if (!(error instanceof PartnerApiError) || error.errorCode !== "P461") throw new Error(`No P461, but ${error}`);

  const query = { externalId: "3e5a9c17-d8f4-4b20-86e1-f9c7a0d3b542" };
  const deposit = unwrap(await wallet.getCryptoDepositDetails({ query }));
  if (deposit.currency !== "BTC") throw new Error(`The deposit is in ${deposit.currency}.`);
}
