/** A file that is made again only when what it is made of has changed. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "../contract/index.ts";

/**
 * Writes a JavaScript file, with its key in the first line, unless it has this key already.
 *
 * @param file absolute path.
 * @param key changes with everything that the text is made of.
 * @returns whether it was made.
 * @throws what `make` throws.
 */
export async function cached(file: string, key: string, make: () => Promise<string>): Promise<boolean> {
  const mark = `// ${key}\n`;
  if (existsSync(file) && readFileSync(file, "utf8").startsWith(mark)) return false;
  const text = mark + (await make());
  mkdirSync(dirname(file), { recursive: true });
  // Renamed into place, since another process may read it at this moment.
  writeFileSync(`${file}.${process.pid}.new`, text);
  renameSync(`${file}.${process.pid}.new`, file);
  return true;
}

/** A hash of the contents of files and folders, which are named by their paths below the repository. */
export function keyOf(paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of paths.flatMap(filesAt)) hash.update(path).update(readFileSync(join(projectRoot, path)));
  return hash.digest("hex");
}

/** A file, or all files below a folder. */
function filesAt(path: string): string[] {
  if (statSync(join(projectRoot, path)).isFile()) return [path];
  return readdirSync(join(projectRoot, path))
    .sort()
    .flatMap((name) => filesAt(join(path, name)));
}
