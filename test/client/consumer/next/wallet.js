import { createPartnerClient } from "partner-wallet-api";

/** Creates the client at run time, because the addresses are not set during the build. */
export const wallet = () =>
  createPartnerClient({
    baseUrl: process.env.MAIN_URL,
    depositBaseUrl: process.env.DEPOSIT_URL,
    apiKey: "key",
  });
