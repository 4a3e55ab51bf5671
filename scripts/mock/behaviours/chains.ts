/** What transactions on a blockchain look like. Addresses are in `addresses.ts`. */
import type { MockWorld } from "./behaviour.ts";

/** The networks whose hashes are written as on Ethereum. */
const ethereumLike = ["ethereum", "polygon"];

/** The hash of a new transaction on a network. */
export function newTransactionHash(world: MockWorld, network: string): string {
  return `${ethereumLike.includes(network) ? "0x" : ""}${world.ids.hex(64)}`;
}
