/** File access for the sources: the disk or, in tests, memory. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface SourceFiles {
  /** Absolute paths of all `.yaml` and `.yml` files below a folder, sorted. */
  list(folder: string): string[];
  read(file: string): string | undefined;
}

export const diskFiles: SourceFiles = {
  list: (folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.ya?ml$/.test(path))
      .map((path) => join(folder, path))
      .sort(),
  read: (file) => (statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : undefined),
};
