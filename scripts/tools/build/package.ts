/**
 * Packs the published files: those that package.json lists, LICENSE, the licences of bundled code, and a package.json and README for users.
 */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { docsFolder, found, type Manifest, projectRoot, readManifest, UsageError } from "../../base/index.ts";
import { type Publishing, readPublishing } from "../../contract/sources/index.ts";
import { bundledPackages, programPath, publishedEntryPoints } from "../packaging/index.ts";
import { replaceFolder } from "./files.ts";

export interface PackResult {
  filename: string;
  /** Size of the tarball in bytes. */
  size: number;
  /** Size of the installed files in bytes. */
  unpackedSize: number;
  files: { path: string }[];
}

/**
 * Packs the package from a temporary folder. The repository itself must not be published, because `dist/` can be missing there; therefore
 * its package.json is private, and its `prepack` script fails. (`publishConfig` enables this script, although .npmrc disables scripts.)
 *
 * @throws {UsageError} when a file is missing that package.json names, or npm cannot pack.
 */
export async function packPackage(folder: string): Promise<PackResult> {
  const manifest = readManifest();
  const publishing = readPublishing();
  const stagingFolder = mkdtempSync(join(tmpdir(), "package-"));
  try {
    for (const path of [...manifest.files.filter((path) => !path.startsWith("!")), "LICENSE"]) {
      if (!existsSync(join(projectRoot, path)))
        throw new UsageError(`There is no ${path} to pack. Run "npm run build".`);
      cpSync(join(projectRoot, path), join(stagingFolder, path), { recursive: true });
    }
    const readme = readFileSync(`${projectRoot}/README.md`, "utf8");
    writeFileSync(join(stagingFolder, "README.md"), publishedReadme(readme, manifest.version, publishing));
    const publishedFields = publishedManifest(manifest, publishing);
    writeFileSync(join(stagingFolder, "package.json"), `${JSON.stringify(publishedFields, null, 2)}\n`);
    writeFileSync(join(stagingFolder, noticesFile), licenceNotices());
    const packResult = await runNpmPack(stagingFolder, folder);
    const paths = packResult.files.map(({ path }) => path);
    const missingFiles = targetsOf(publishedFields).filter((target) => !paths.includes(target));
    if (missingFiles.length > 0)
      throw new UsageError(`package.json names files that are not packed:\n${missingFiles.join("\n")}`);
    return packResult;
  } finally {
    rmSync(stagingFolder, { recursive: true, force: true });
  }
}

async function runNpmPack(packageFolder: string, targetFolder: string): Promise<PackResult> {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", targetFolder];
  const packRun = promisify(execFile)("npm", args, { cwd: packageFolder, maxBuffer: 2 ** 26 });
  const { stdout } = await packRun.catch(({ message }: Error) => {
    throw new UsageError(`npm pack failed: ${message}`);
  });
  // npm 11 and earlier print an array, npm 12 an object with package names as keys.
  const [packResult]: PackResult[] = Object.values(JSON.parse(stdout));
  return found(packResult, `package in the output of npm pack:\n${stdout}`);
}

async function compileDist(): Promise<void> {
  const { distFolder, makeDist } = await import("../packaging/index.ts");
  const { writePlan } = await import("../../mock/make-plan/index.ts");
  await writePlan();
  replaceFolder(distFolder, await makeDist());
}

/** The file with the licences of bundled code. Packages that npm installs as dependencies contain their own. */
const noticesFile = "THIRD-PARTY-LICENSES.txt";

function licenceNotices(): string {
  return bundledPackages
    .map((name) => `dist/${programPath} holds code of ${name}:\n\n${licenceOf(name)}\n`)
    .join("\n\n");
}

/** The licence text of a package; without a file LICENSE, the licence's name and the author, if known. */
function licenceOf(name: string): string {
  const pnpmPath = `.pnpm/node_modules/${name}`;
  const folders = [name, ...bundledPackages.map((other) => `${other}/node_modules/${name}`), pnpmPath]
    .map((path) => `${projectRoot}/node_modules/${path}`)
    .filter((folder) => existsSync(folder));
  const file = folders.map((folder) => `${folder}/LICENSE`).find((candidate) => existsSync(candidate));
  if (file !== undefined) return readFileSync(file, "utf8").trim();
  const folder = found(folders[0], `folder of the package ${name}, whose code the mock contains`);
  const { license, author } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  return `${license}${author === undefined ? "" : `, by ${author.name ?? author}`}`;
}

function targetsOf({ main, types, bin, typesVersions, exports }: PublishedManifest): string[] {
  const stringsIn = (value: unknown): string[] =>
    typeof value === "string" ? [value] : Object.values(value ?? {}).flatMap(stringsIn);
  return stringsIn([main, types, bin, typesVersions, exports]).map((target) => target.replace("./", ""));
}

type PublishedManifest = Omit<Manifest, "exports" | "bin"> & ReturnType<typeof publishedEntryPoints>;

export function publishedManifest(
  manifest: Manifest,
  { repository, support, registry }: Publishing = readPublishing(),
): PublishedManifest {
  const { private: isPrivate, scripts, devDependencies, scarfSettings, ...keptFields } = manifest;
  const { "ignore-scripts": ignoresScripts, ...publishConfig } = keptFields.publishConfig;
  return {
    ...keptFields,
    ...publishedEntryPoints(manifest),
    files: [...manifest.files, noticesFile],
    publishConfig: { ...publishConfig, ...(registry?.startsWith("https:") && { registry }) },
    ...(repository !== null && {
      repository: { type: "git", url: `git+${repository}.git` },
      homepage: `${repository}#readme`,
      bugs: support?.startsWith("mailto:") ? { email: support.slice(7) } : { url: support ?? `${repository}/issues` },
    }),
  };
}

/**
 * The README of the package, without the parts between `in a clone` comments. Links to repository files become absolute, or plain text if
 * publishing.yaml has no repository address.
 */
export function publishedReadme(text: string, version: string, { repository }: Publishing): string {
  const publicText = text.replace(/<!-- in a clone -->.*?<!-- \/in a clone -->\n*/gs, "");
  return publicText.replace(/\[([^\]]+)\]\((?!https?:|mailto:|#)([^)]+)\)/g, (_, linkText: string, path: string) =>
    repository === null ? linkText : `[${linkText}](${repository}/blob/v${version}/${path})`,
  );
}

/** Packs the package into the folder of the site, unless publishing.yaml names a registry. @returns the name of the file, if any. */
export async function packIntoSite({ folder = docsFolder, mustCompile = false } = {}): Promise<string | undefined> {
  if (readPublishing().registry !== null) return undefined;
  if (mustCompile) await compileDist();
  return (await packPackage(folder)).filename;
}

export function tarballName(): string {
  const { name, version } = readManifest();
  return `${name}-${version}.tgz`;
}
