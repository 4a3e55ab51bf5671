/** What is made of files is made again only when something that it is made of has changed. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../model/index.ts";

/** Something that is made of files, by the files and folders that are read and written (paths below the repository). */
export interface Step {
  name: string;
  inputs: readonly string[];
  /** What it is told beside the files. */
  settings?: readonly string[];
  outputs: readonly string[];
}

/** A file for each step, with the contents that it was made of. */
const folder = `${projectRoot}/node_modules/.cache/made`;

export interface StepState {
  /** Whether it was made of these very inputs, and its outputs are as it left them. */
  isMade: boolean;
  /** Remembers it as made, when its outputs are written. */
  remember(): void;
}

/** What is known of a step from the last time that it was made. */
export function stateOf({ name, inputs, settings = [], outputs }: Step): StepState {
  // Read now, so that a change while the step is made is not taken for one that it knew of.
  const read = keyOf(inputs, [process.version, ...settings]);
  const state = () => `${read} ${keyOf(outputs)}`;
  const file = join(folder, name);
  return {
    isMade: existsSync(file) && readFileSync(file, "utf8") === state(),
    remember() {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, state());
    },
  };
}

/** A hash of the paths and contents of files and folders. */
function keyOf(paths: readonly string[], more: readonly string[] = []): string {
  const hash = createHash("sha256").update(JSON.stringify([paths, more]));
  for (const path of paths.flatMap(filesAt)) hash.update(path).update(readFileSync(join(projectRoot, path)));
  return hash.digest("hex");
}

/** A file, or all files below a folder; nothing where there is none. */
function filesAt(path: string): string[] {
  const stats = statSync(join(projectRoot, path), { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return stats === undefined ? [] : [path];
  return readdirSync(join(projectRoot, path))
    .sort()
    .flatMap((name) => filesAt(join(path, name)));
}
