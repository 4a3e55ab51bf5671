/** Vitest's global setup for this folder: installs the packages of `package.json`. */
export { installPeers as setup } from "../../scripts/tools/verify/peers.ts";
