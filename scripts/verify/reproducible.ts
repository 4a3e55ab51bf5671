/** Whether what is published depends on nothing but the sources. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { projectRoot, UsageError } from "../contract/index.ts";
import { run } from "./processes.ts";

/** What the build reads beside the contract. */
const inputs = [
  ...["scripts", ".spectral.yaml", "redocly.yaml", "tsconfig.json", "package.json", "package-lock.json"],
  ...["publishing.yaml", "CHANGELOG.md", "LICENSE", "README.md"],
];

/**
 * Copies what the build reads beside the contract. The packages are those of this repository; what commands keep in
 * node_modules/.cache is the copy's own.
 *
 * @param folder absolute path of the copy.
 */
export function copyProject(folder: string): void {
  for (const path of inputs) cpSync(join(projectRoot, path), join(folder, path), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(projectRoot, "node_modules")).filter((name) => name !== ".cache")) {
    symlinkSync(join(projectRoot, "node_modules", name), join(folder, "node_modules", name));
  }
}

/** Packs the package of the folder that it is run in. */
const packer = 'import { packPackage } from "./scripts/build/package.ts"; await packPackage(process.cwd());';

/**
 * Builds and packs the project in two folders, and compares every file that is made.
 *
 * @param parent absolute path of the folder that they are made in.
 * @returns a few words on what is equal.
 * @throws {UsageError} naming the files that differ.
 */
export async function buildTwice(parent: string): Promise<string> {
  const first = await buildIn(join(parent, "one"));
  const second = await buildIn(join(parent, "another/at-a-longer-path"));
  const paths = new Set([...first.keys(), ...second.keys()]);
  const different = [...paths].filter((path) => !first.get(path)?.equals(second.get(path) ?? Buffer.alloc(0)));
  if (different.length > 0) throw new UsageError(`Two builds of the same sources differ in:\n${different.join("\n")}`);
  return `${paths.size} files of two builds are equal to the byte, the package among them`;
}

/** Builds a copy of the project. @returns what was made, by path. */
async function buildIn(folder: string): Promise<Map<string, Buffer>> {
  mkdirSync(folder, { recursive: true });
  copyProject(folder);
  cpSync(join(projectRoot, "openapi"), join(folder, "openapi"), { recursive: true });
  await run(process.execPath, ["--import", "tsx", "scripts/commands/build.ts"], { cwd: folder });
  await run(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", packer], { cwd: folder });
  const made = ["generated", "dist"].flatMap((path) =>
    readdirSync(join(folder, path), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const tarballs = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  if (tarballs.length === 0) throw new UsageError("The copy was not packed.");
  made.push(...tarballs.map((name) => join(folder, name)));
  return new Map(made.map((file) => [file.slice(folder.length + 1), readFileSync(file)]));
}
