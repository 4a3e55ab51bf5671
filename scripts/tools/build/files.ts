import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** The keys are paths below a folder. */
export type Files<Content extends string | Uint8Array = string> = Record<string, Content>;

/** Writes the files to a temporary folder next to the old folder, and then renames both. */
export function replaceFolder(folder: string, files: Files<string | Uint8Array>): void {
  mkdirSync(dirname(folder), { recursive: true });
  const newFolder = mkdtempSync(`${folder}.new-`);
  // mkdtemp gives access only to the owner, but these files are published.
  chmodSync(newFolder, 0o755);
  try {
    for (const [path, content] of Object.entries(files)) {
      const file = join(newFolder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    const oldFolder = `${newFolder}.old`;
    if (existsSync(folder)) renameSync(folder, oldFolder);
    renameSync(newFolder, folder);
    rmSync(oldFolder, { recursive: true, force: true });
  } finally {
    rmSync(newFolder, { recursive: true, force: true });
  }
}

/**
 * Each differing file is replaced atomically.
 *
 * @param contents what was written earlier, by path; this function updates it.
 */
export function updateFolder(
  folder: string,
  files: Files<string | Uint8Array>,
  contents: Map<string, string | Uint8Array>,
): void {
  const changedFiles = Object.entries(files).filter(([path, content]) => contents.get(path) !== content);
  for (const [path, content] of changedFiles) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    // Writes a new file and renames it, because a server may be sending the old file.
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
    contents.set(path, content);
  }
}

/**
 * @param isGenerated returns whether a path in the folder is generated; existing files with other paths are ignored. Default: true for all.
 * @returns the paths whose files in the folder are missing, superfluous or different.
 */
export function findStaleFiles(
  folder: string,
  files: Files,
  isGenerated: (path: string) => boolean = () => true,
): string[] {
  const existingPaths = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .filter(isGenerated)
    : [];
  const paths = new Set([...existingPaths, ...Object.keys(files)]);
  return [...paths]
    .filter((path) => !existingPaths.includes(path) || files[path] !== readFileSync(join(folder, path), "utf8"))
    .sort();
}
