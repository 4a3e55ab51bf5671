/** The entry of the published mock module and of the program `partner-wallet-api`. The build bundles both into a single CommonJS file. */
export * from "../../mock/index.ts";

import { runProgram } from "./program.ts";

if (require.main === module) void runProgram(process.argv.slice(2));
