/** A step is repeated only if its inputs or outputs have changed. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./project.ts";

export interface BuildStep {
  name: string;
  /** Paths of files or folders, relative to the repository. */
  inputs: readonly string[];
  /** Inputs that are not files. */
  settings?: readonly string[];
  /** Paths of files or folders, relative to the repository. */
  outputs: readonly string[];
}

const cacheFolder = `${projectRoot}/node_modules/.cache/made`;

export interface StepState {
  /** Whether the inputs and outputs are unchanged since the last run of the step. */
  isUpToDate: boolean;
  /** Call this after the outputs are written. */
  markAsDone(): void;
}

export function stepStateOf({ name, inputs, settings = [], outputs }: BuildStep): StepState {
  // The inputs are hashed before the step runs, so that a change during the step causes another run.
  const inputsKey = hashOf(inputs, [process.version, ...settings]);
  const currentState = () => `${inputsKey} ${hashOf(outputs)}`;
  const file = join(cacheFolder, name);
  return {
    isUpToDate: existsSync(file) && readFileSync(file, "utf8") === currentState(),
    markAsDone() {
      mkdirSync(cacheFolder, { recursive: true });
      writeFileSync(file, currentState());
    },
  };
}

function hashOf(paths: readonly string[], otherInputs: readonly string[] = []): string {
  const hash = createHash("sha256").update(JSON.stringify([paths, otherInputs]));
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
