/** The single file of the published mock: a module and a program. It is bundled as CommonJS. */
export * from "../../mock/index.ts";

import { runProgram } from "./program.ts";

if (require.main === module) void runProgram(process.argv.slice(2));
