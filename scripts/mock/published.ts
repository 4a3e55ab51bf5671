/** What the package holds of the mock, in one module: its entry point, and its program. */
export { runProgram } from "./command/program.ts";
export * from "./entry.ts";
