export { type RunningStart, type StartOptions, start } from "./start.ts";
