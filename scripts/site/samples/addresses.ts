/** Placeholder values in samples and instructions, until the reader sets others. */
import type { Address } from "../../contract/model/index.ts";

/** The addresses of the mock, as `npm start` and `npx partner-wallet-api mock` serve it. */
export const mockAddresses: Record<Address, string> = {
  base_url: "http://127.0.0.1:4010",
  deposit_base_url: "http://127.0.0.1:4011",
};

/** Any key works with the mock; each has its own world. */
export const sampleKey = "any-key-will-do-for-the-mock";

/** The command that starts a mock in which every sample and guide works. */
export const mockCommandLine = "npx partner-wallet-api mock --scenario --edition test";

/** The local address of the site (`npm start`, `npm run docs`), used as a placeholder for the hosted one. */
export const localSiteUrl = "http://127.0.0.1:4000/";
