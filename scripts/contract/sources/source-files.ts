/** The sources are read from the disk, or from memory for tests and for the files of a commit. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

export interface SourceFiles {
  /** Returns the texts of the released contracts by version. Absent if the sources have no releases. */
  readReleases?(folder: string): Record<string, string>;
  /**
   * Absolute paths of all `.yaml` and `.yml` files below a folder, sorted; none if there is no folder. Leaves out hidden files, such as the
   * lock files of editors.
   */
  list(folder: string): string[];
  read(file: string): string | undefined;
}

/** The path for messages, from the folder in which the command runs. */
export function nameOf(file: string): string {
  return relative(process.cwd(), file);
}

export const diskFiles: SourceFiles = {
  list: (folder) =>
    (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [])
      .filter((path) => /\.ya?ml$/.test(path) && !/(^|[\\/])\./.test(path))
      .map((path) => join(folder, path))
      .sort(),
  readReleases: (folder) => {
    const files = existsSync(`${folder}/released`) ? readdirSync(`${folder}/released`) : [];
    const versions = files.flatMap((file) => /^(\d+\.\d+\.\d+)\.json$/.exec(file)?.[1] ?? []);
    return Object.fromEntries(
      versions.map((version) => [version, readFileSync(join(folder, "released", `${version}.json`), "utf8")]),
    );
  },
  read: (file) => (statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : undefined),
};
