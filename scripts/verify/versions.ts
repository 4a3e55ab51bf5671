/** The versions of what the packed package is tried with: pinned, so that a result changes only with this repository. */
import { readFileSync } from "node:fs";
import { projectRoot } from "../contract/index.ts";

/** What only the environments need. */
export const versions = {
  publint: "0.3.25",
  attw: "0.18.5",
  // The newest, beside the one of this project.
  typescript: "7.0.2",
  esbuild: "0.28.2",
  vite: "8.3.8",
  bun: "1.4.5",
  deno: "2.9.6",
  workerd: "1.20261117.1",
  jest29: "29.7.0",
  jest30: "30.5.2",
  tsJest: "29.4.15",
  nest: "12.5.1",
  reflectMetadata: "0.2.2",
  rxjs: "7.8.2",
  next: "16.4.6",
  react: "19.3.1",
} as const;

const read = (path: string) => JSON.parse(readFileSync(`${projectRoot}/${path}`, "utf8"));
const installed: Record<string, string> = {
  ...read("test/peers/package.json").dependencies,
  ...read("package.json").devDependencies,
};

/**
 * A package in the version that this repository or `test/peers` has installed, as `npm install` takes it.
 *
 * @param name its name in their package.json, for example `hono`.
 */
export function ofProject(name: string): string {
  return `${name}@${installed[name]}`;
}
