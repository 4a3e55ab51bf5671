/** Measures what the client and the mock cost, and what a program weighs that uses them. */
export { bench } from "./bench.ts";
