/** What stands in samples and instructions until the reader sets something else. */
import type { Address } from "../../contract/model/index.ts";

/** The addresses of the mock, as `npm start` and `npx partner-wallet-api mock` serve it. */
export const mockAddresses: Record<Address, string> = {
  base_url: "http://127.0.0.1:4010",
  deposit_base_url: "http://127.0.0.1:4011",
};

/** Each key has a world of its own in the mock, which takes any. */
export const sampleKey = "any-key-will-do-for-the-mock";

/** The one command that starts a mock in which every sample and every guide runs. */
export const startOfMock = "npx partner-wallet-api mock --scenario --edition test";

/** Where `npm start` and `npm run docs` serve the site, which stands for an address that nobody has named. */
export const localSiteUrl = "http://127.0.0.1:4000/";
