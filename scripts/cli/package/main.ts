/** The entry of the published mock, which is both a module and a program. The build bundles it into a single CommonJS file. */
export * from "../../mock/index.ts";

import { runProgram } from "./program.ts";

if (require.main === module) void runProgram(process.argv.slice(2));
