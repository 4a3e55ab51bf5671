/** On a page, the reader can replace the addresses and the key. */
import type { Address } from "../../contract/model/index.ts";
import type { controlPath } from "../../mock/request/index.ts";

/** The default addresses of the mock, with `npm start` and with `npx partner-wallet-api mock`. */
export const mockAddresses: Record<Address, string> = {
  base_url: "http://127.0.0.1:4010",
  deposit_base_url: "http://127.0.0.1:4011",
};

/** Repeated here, because a browser cannot load the module of the mock. */
export const mockControlPath: typeof controlPath = "/__mock";

/** By default, the mock accepts any key. Each key has separate data. */
export const sampleKey = "any-key-will-do-for-the-mock";

/** The samples and the programs of the guides work in this mock. */
export const mockCommandLine = "npx partner-wallet-api mock --edition test";

/** The local address of the site (`npm start`, `npm run docs`). The page's script replaces it with the actual address of the site. */
export const localSiteUrl = "http://127.0.0.1:4000/";
