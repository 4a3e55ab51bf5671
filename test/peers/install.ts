/** Runs before the tests of this folder. */
export { installPeers as setup } from "../../scripts/tools/verify/peers.ts";
