import { readFileSync } from "node:fs";
import { projectRoot } from "./project.ts";

type Versions = Readonly<Record<string, string>>;

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files: readonly string[];
  /** A TypeScript source for each entry point with code, and the published file for any other subpath. */
  readonly exports: Readonly<Record<string, string>>;
  /** The TypeScript source of each command. */
  readonly bin: Versions;
  readonly publishConfig: Readonly<Record<string, unknown>>;
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
  readonly [key: string]: unknown;
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8"));
}
