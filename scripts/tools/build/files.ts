/** Writes a set of generated files. */
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

/** Paths below a folder and the contents of the files. */
export type Files<Content extends string | Uint8Array = string> = Record<string, Content>;

/**
 * Replaces a folder atomically: the files are written to a temporary folder next to it first.
 *
 * @param folder absolute path.
 */
export function replaceFolder(folder: string, files: Files<string | Uint8Array>): void {
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}.new-`);
  // mkdtemp gives access to the owner only; these files are committed and published.
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

/**
 * Writes the changed files, each atomically; other files in the folder are not touched.
 *
 * @param folder absolute path.
 * @param known the earlier content; updated by this function.
 */
export function updateFolder(
  folder: string,
  files: Files<string | Uint8Array>,
  known: Map<string, string | Uint8Array>,
): void {
  const changed = Object.entries(files).filter(([path, content]) => known.get(path) !== content);
  for (const [path, content] of changed) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    // Written and renamed, since a server may be sending the file.
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
    known.set(path, content);
  }
}

/**
 * Paths at which a folder differs from the expected files: changed, missing or surplus.
 *
 * @param isMade whether a path of the folder belongs to the files; every one by default.
 */
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
