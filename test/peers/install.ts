/** Vitest's global setup of the projects `peers` and `nightly`: installs the packages of this folder's `package.json`. */
export { installPeers as setup } from "../../scripts/tools/verify/peers.ts";
