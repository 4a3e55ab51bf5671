/** Build steps. A step is repeated only if its inputs or outputs have changed. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../model/index.ts";

/** `inputs` and `outputs` are paths of files or folders, relative to the repository. */
export interface Step {
  name: string;
  inputs: readonly string[];
  /** Inputs that are not files. */
  settings?: readonly string[];
  outputs: readonly string[];
}

const folder = `${projectRoot}/node_modules/.cache/made`;

export interface StepState {
  /** Whether inputs and outputs are unchanged since the step's last run. */
  isMade: boolean;
  /** Call this after the outputs are written. */
  remember(): void;
}

export function stateOf({ name, inputs, settings = [], outputs }: Step): StepState {
  // The inputs are hashed before the step runs, so that a change during the step causes another run.
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

function keyOf(paths: readonly string[], more: readonly string[] = []): string {
  const hash = createHash("sha256").update(JSON.stringify([paths, more]));
  for (const path of paths.flatMap(filesAt)) hash.update(path).update(readFileSync(join(projectRoot, path)));
  return hash.digest("hex");
}

function filesAt(path: string): string[] {
  const stats = statSync(join(projectRoot, path), { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile()) return stats === undefined ? [] : [path];
  return readdirSync(join(projectRoot, path))
    .sort()
    .flatMap((name) => filesAt(join(path, name)));
}
