// The client of the partner's service.
import { createPartnerClient } from "partner-wallet-api";

/** Made when it is first used: a build does not have the addresses. */
export const wallet = () =>
  createPartnerClient({
    baseUrl: process.env.MAIN_URL,
    depositBaseUrl: process.env.DEPOSIT_URL,
    apiKey: "key",
  });
