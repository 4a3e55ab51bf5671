/** Build steps: a step is repeated only when its inputs have changed. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../model/index.ts";

/** A build step: its input and output files and folders (paths below the repository). */
export interface Step {
  name: string;
  inputs: readonly string[];
  /** Further inputs besides the files. */
  settings?: readonly string[];
  outputs: readonly string[];
}

/** A file for each step, with the hashes of its inputs. */
const folder = `${projectRoot}/node_modules/.cache/made`;

export interface StepState {
  /** Whether the inputs are unchanged and the outputs are as the step wrote them. */
  isMade: boolean;
  /** Records the step as done, after its outputs are written. */
  remember(): void;
}

/** The state of a step since its last run. */
export function stateOf({ name, inputs, settings = [], outputs }: Step): StepState {
  // Hashed now, so that a change during the step is noticed by the next run.
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

/** The file, or all files below the folder; empty when it does not exist. */
function filesAt(path: string): string[] {
  const stats = statSync(join(projectRoot, path), { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return stats === undefined ? [] : [path];
  return readdirSync(join(projectRoot, path))
    .sort()
    .flatMap((name) => filesAt(join(path, name)));
}
