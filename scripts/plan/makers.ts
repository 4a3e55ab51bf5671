/** What makes a plan: a change of it makes every plan anew. */
import { readdirSync, statSync } from "node:fs";
import { projectRoot } from "../contract/index.ts";

/** Files and folders, below the repository. */
export const planMakers = ["package-lock.json", "scripts/plan", "scripts/contract", "scripts/mock/plan/attach.ts"];

/** A file, or all files in a folder. */
export function filesAt(path: string): string[] {
  if (statSync(`${projectRoot}/${path}`).isFile()) return [path];
  return readdirSync(`${projectRoot}/${path}`)
    .sort()
    .map((name) => `${path}/${name}`);
}
