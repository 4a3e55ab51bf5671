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

/** Contents of files by their path below a folder. */
export type Files<Content extends string | Uint8Array = string> = Record<string, Content>;

/** Writes the files to a temporary folder next to the old folder, and then renames both. */
export function replaceFolder(folder: string, files: Files<string | Uint8Array>): void {
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}.new-`);
  // mkdtemp gives access only to the owner, but these files are published.
  chmodSync(fresh, 0o755);
  try {
    for (const [path, content] of Object.entries(files)) {
      const file = join(fresh, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    const old = `${fresh}.old`;
    if (existsSync(folder)) renameSync(folder, old);
    renameSync(fresh, folder);
    rmSync(old, { recursive: true, force: true });
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Writes the changed files, each atomically. @param known the content written earlier by path, which this function updates. */
export function updateFolder(
  folder: string,
  files: Files<string | Uint8Array>,
  known: Map<string, string | Uint8Array>,
): void {
  const changed = Object.entries(files).filter(([path, content]) => known.get(path) !== content);
  for (const [path, content] of changed) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    // Written and then renamed, because a server may be sending the file.
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
    known.set(path, content);
  }
}

/** @param isMade whether to check a path. Default: all paths. */
export function findStaleFiles(folder: string, files: Files, isMade: (path: string) => boolean = () => true): string[] {
  const present = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .filter(isMade)
    : [];
  const paths = new Set([...present, ...Object.keys(files)]);
  return [...paths]
    .filter((path) => !present.includes(path) || files[path] !== readFileSync(join(folder, path), "utf8"))
    .sort();
}
