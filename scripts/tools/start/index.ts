export { type RunningStart as Started, type StartOptions, start } from "./start.ts";
