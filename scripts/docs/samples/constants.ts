/** What all samples share: where `npm start` serves the mock, and the key and token that they give. */
import type { Address } from "../../contract/index.ts";

/** The addresses of the mock, as `npm start` and `npx partner-wallet-api mock` serve it. */
export const mockAddresses: Record<Address, string> = {
  base_url: "http://127.0.0.1:4010",
  deposit_base_url: "http://127.0.0.1:4011",
};

/** Each key has a world of its own in the mock, which takes any. */
export const sampleKey = "any-key-will-do-for-the-mock";

export const receiverPort = 3000;
export const receiverToken = "token-of-this-sample";
