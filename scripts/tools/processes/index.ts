export { atExit, withTemporaryFolder } from "./clean-up.ts";
export { Program, type RunOptions, run, start, withServer } from "./programs.ts";
