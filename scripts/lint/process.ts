/** What runs in the process of `lintBeside`. */
import { once } from "node:events";
import type { OpenApiDocument } from "../contract/model/index.ts";
import { Sources } from "../contract/sources/index.ts";
import { lintContract } from "./lint-contract.ts";

const received = once(process, "message") as Promise<[{ document?: OpenApiDocument }]>;
const { findings } = await lintContract({ sources: new Sources(), bundle: async () => (await received)[0].document });
// Nothing else may keep the process: a bundle that is not needed any more may still be on its way.
process.send?.(findings, () => process.exit());
