/** Benchmarks of the client, the mock and bundle sizes. */
export { bench } from "./bench.ts";
