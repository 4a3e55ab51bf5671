export { type RunningServers, type StartOptions, start } from "./start.ts";
