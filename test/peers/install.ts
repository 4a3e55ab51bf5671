/** Runs before the tests of this folder. */
export { installPeers as setup } from "../../scripts/verify/peers.ts";
