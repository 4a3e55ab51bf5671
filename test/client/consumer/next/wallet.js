// The client of a partner's backend.
import { createPartnerClient } from "partner-wallet-api";

/** Created on first use, because the build does not have the addresses. */
export const wallet = () =>
  createPartnerClient({
    baseUrl: process.env.MAIN_URL,
    depositBaseUrl: process.env.DEPOSIT_URL,
    apiKey: "key",
  });
