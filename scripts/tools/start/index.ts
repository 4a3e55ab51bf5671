export { type Started, type StartOptions, start } from "./start.ts";
