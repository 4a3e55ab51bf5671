import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { projectRoot, UsageError } from "../../base/index.ts";
import { run } from "../processes/index.ts";

const projectFiles = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "redocly.yaml",
  ".spectral.yaml",
  "publishing.yaml",
  "scripts",
  "README.md",
  "CHANGELOG.md",
  "LICENSE",
  "SECURITY.md",
  "SUPPORT.md",
  // The result of `npm run breaks`, which the build reads.
  "generated/breaks.json",
];

/** Copies what a build needs except openapi/. Packages are linked from this repository, except node_modules/.cache. */
export function copyProject(folder: string): void {
  for (const path of projectFiles) cpSync(join(projectRoot, path), join(folder, path), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(projectRoot, "node_modules")).filter((name) => name !== ".cache")) {
    symlinkSync(join(projectRoot, "node_modules", name), join(folder, "node_modules", name));
  }
}

const packProgram = 'import { packPackage } from "./scripts/tools/build/index.ts"; await packPackage(process.cwd());';

export async function buildTwice(parent: string, tarball: string): Promise<string> {
  const copy = join(parent, "a copy/at-a-longer-path");
  mkdirSync(copy, { recursive: true });
  copyProject(copy);
  // The contract, and the cached result of lint.
  for (const path of ["openapi", "node_modules/.cache/made/lint"])
    cpSync(join(projectRoot, path), join(copy, path), { recursive: true });
  await run(process.execPath, ["--import", "tsx", "scripts/cli/npm/build.ts"], { cwd: copy });
  await run(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", packProgram], { cwd: copy });
  const folders = readdirSync(join(copy, "generated"), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [`generated/${entry.name}`] : [],
  );
  const [originalFiles, copiedFiles] = [projectRoot, copy].map(
    (root) => new Map([...folders, "dist"].flatMap((folder) => filesBelow(root, folder))),
  ) as [Map<string, Buffer>, Map<string, Buffer>];
  originalFiles.set("the package", readFileSync(tarball));
  copiedFiles.set("the package", readFileSync(join(copy, basename(tarball))));
  const paths = new Set([...originalFiles.keys(), ...copiedFiles.keys()]);
  const differentPaths = [...paths].filter(
    (path) => !originalFiles.get(path)?.equals(copiedFiles.get(path) ?? Buffer.alloc(0)),
  );
  if (differentPaths.length > 0)
    throw new UsageError(`Two builds of the same sources differ in:\n${differentPaths.join("\n")}`);
  return `${paths.size} files of two builds are equal to the byte, the package among them`;
}

function filesBelow(root: string, folder: string): [path: string, content: Buffer][] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [relative(root, file), file.endsWith("/sitemap.xml") ? withoutDates(file) : readFileSync(file)]);
}

/** The sitemap without dates: the dates come from git, and the copy is not a git repository. */
function withoutDates(file: string): Buffer {
  return Buffer.from(readFileSync(file, "utf8").replaceAll(/<lastmod>[\d-]+<\/lastmod>/g, ""));
}
