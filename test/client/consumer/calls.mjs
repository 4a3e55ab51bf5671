import { createPartnerClient, PartnerApiError, unwrap } from "partner-wallet-api";
import { createClient, getUserBalances } from "partner-wallet-api/operations";

/** @param {{ mainUrl: string, depositUrl: string }} addresses */
export async function callService({ mainUrl, depositUrl }) {
  const deviations = [];
  const options = {
    baseUrl: mainUrl,
    depositBaseUrl: depositUrl,
    apiKey: "key",
    onDeviation: (deviation) => deviations.push(deviation),
  };
  const wallet = createPartnerClient(options);
  const path = { externalUserId: "user-1042" };

  const cards = unwrap(await wallet.listUserCards({ path }));
  if (!Array.isArray(cards)) throw new Error("The cards are no list.");

  const { error } = await wallet.listUserCards({ path, headers: { prefer: "code=400, example=P461" } });
  if (!(error instanceof PartnerApiError) || error.errorCode !== "P461") throw new Error(`No P461, but ${error}`);

  const balances = unwrap(await getUserBalances(createClient(options), { path }));
  if (!Array.isArray(balances.fiatBalances)) throw new Error("There are no balances.");

  const query = { externalId: "3e5a9c17-d8f4-4b20-86e1-f9c7a0d3b542" };
  const deposit = unwrap(await wallet.getCryptoDepositDetails({ query }));
  if (deposit.currency !== "BTC") throw new Error(`The deposit is in ${deposit.currency}.`);
  if (deviations.length > 0) throw new Error(`Documented responses deviate: ${JSON.stringify(deviations)}`);

  const respond = async () => Response.json({ transferId: "seven" }, { status: 299 });
  const tolerant = createPartnerClient({ ...options, fetch: respond });
  const body = { destinationExternalUserId: "user-1042", amount: "10.50", currency: "eur" };
  const { transferId } = unwrap(await tolerant.createTransfer({ body }));
  const rules = deviations.map(({ pointer, rule }) => `${pointer} ${rule}`).join();
  if (transferId !== "seven" || rules !== " status,/transferId format") throw new Error(`Deviations: "${rules}".`);
}
