import { once } from "node:events";
import type { BundledContract } from "../contract/bundle/index.ts";
import { Sources } from "../contract/sources/index.ts";
import { lintContract } from "./lint-contract.ts";

const bundleMessage = once(process, "message") as Promise<[{ bundledContract?: BundledContract }]>;
const { findings } = await lintContract({
  sources: new Sources(),
  bundle: async () => (await bundleMessage)[0].bundledContract,
});
// Exits explicitly: waiting for a message with the bundle keeps the process alive.
process.send?.(findings, () => process.exit());
