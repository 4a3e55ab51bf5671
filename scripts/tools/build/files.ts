/** Puts a set of generated files in place as a whole. */
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
 * Replaces a folder by the files. They are written beside it first, so that the folder is never half-written: when
 * anything fails, what was there before is still there.
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
 * Writes those of the files whose contents have changed, each at once; nothing else of the folder is touched.
 *
 * @param folder absolute path.
 * @param known what was written before; it is brought up to date.
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
    // Renamed into place, since a server may be sending the file at this moment.
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
    known.set(path, content);
  }
}

/**
 * Paths of the files in which a folder differs from what it should hold: changed, missing or left over.
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
