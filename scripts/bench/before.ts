/** The figures of the client before its second edition, to be shown beside those of today. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Before {
  /** The commit that was measured, with the programs and methods of this folder. */
  readonly commit: string;
  /** Bytes minified and compressed, by the name of the program's budget. */
  readonly bytes: Readonly<Record<string, number>>;
  /** Bytes minified and compressed that are loaded on demand, by the name of the module. */
  readonly onDemand: Readonly<Record<string, number>>;
  /** Of the program that calls ten operations. */
  readonly typeCheck: { readonly instantiations: number; readonly types: number };
  /** Multiples of openapi-fetch: for each sample the time and the processor time. */
  readonly loopback: readonly number[];
  readonly stub: readonly number[];
}

export const before: Before = JSON.parse(readFileSync(join(import.meta.dirname, "before.json"), "utf8"));
