/** The file of the mock in the package: what it exports, and the program when it is run. It is bundled as CommonJS. */
export * from "../../mock/index.ts";

import { runProgram } from "./program.ts";

if (require.main === module) void runProgram(process.argv.slice(2));
