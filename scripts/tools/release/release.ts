import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { docsFolder, projectRoot, readManifest, UsageError } from "../../base/index.ts";
import { bundleEditions } from "../../contract/bundle/index.ts";
import { readPublishing, Sources } from "../../contract/sources/index.ts";
import { renderSite } from "../../site/index.ts";
import { build, runStep, siteInput, writeGuides } from "../build/index.ts";
import {
  applyExemptions,
  bundleAnnotated,
  compareContracts,
  type Level,
  readEarlier,
  readExemptions,
  releasedFolder,
  releasedVersions,
  serializeReleased,
} from "../changes/index.ts";
import { atExit, run } from "../processes/index.ts";
import { tryPackage } from "../verify/index.ts";
import { type Dependency, dependencyProblems, dependencyReport, readDependencies } from "./dependencies.ts";
import {
  checkReadiness,
  datedChangelog,
  emptyExemptions,
  filesWithVersion,
  releaseVersion,
  tagProblems,
  unreleasedOf,
} from "./prepare.ts";

const git = async (...args: string[]): Promise<string> => (await run("git", args, { cwd: projectRoot })).trim();

const pathOf = (path: string): string => join(projectRoot, path);
const readText = (path: string): string => readFileSync(pathOf(path), "utf8");
const writeText = (path: string, text: string): void => writeFileSync(pathOf(path), text);

export interface ReleaseOptions {
  readonly date: string;
  /** Whether to install and try the packed package, which needs the npm registry. */
  readonly mustTry: boolean;
}

/**
 * Makes a release: sets the version number, dates the changelog, stores the released contract, builds, commits and tags, and makes the
 * published files. Pushes nothing. After a failure or a signal, the repository is restored.
 *
 * @throws {UsageError} when the repository is not ready, or the level is too low; the error of a step that fails.
 */
export async function makeRelease(level: Level, options: ReleaseOptions): Promise<void> {
  checkPublishing();
  checkReadiness(await git("branch", "--show-current"), await git("status", "--porcelain"));
  const commitBefore = await git("rev-parse", "HEAD");
  const { version, changes, exemptChangeCount } = await nextRelease(level, options.date);
  const tag = `v${version}`;
  if ((await git("tag", "--list", tag)) !== "") throw new UsageError(`There is a tag ${tag} already.`);
  await checkRegistry(options);
  const changelog = datedChangelog(readText("CHANGELOG.md"), version, options.date, changes);
  let isMade = false;
  const undoIfIncomplete = atExit(() => {
    if (!isMade) undoRelease(commitBefore, version, tag);
  });
  console.log(`Making version ${version}: first the build, which takes a while.`);
  try {
    await setVersion(version);
    writeText("CHANGELOG.md", changelog);
    writeText("openapi/exemptions.yaml", emptyExemptions(readText("openapi/exemptions.yaml"), exemptChangeCount));
    // The contract is stored before the build, because the build reads the released contracts.
    mkdirSync(releasedFolder, { recursive: true });
    writeFileSync(`${releasedFolder}/${version}.json`, serializeReleased(await bundleAnnotated(new Sources())));
    await build();
    await git("add", "--all");
    await git("commit", "--quiet", "--message", `Release ${version}`);
    await git("tag", "--annotate", tag, "--message", `Release ${version}`);
    await makeArtifacts(options);
    isMade = true;
  } finally {
    undoIfIncomplete();
  }
}

async function setVersion(version: string): Promise<void> {
  for (const [path, text] of Object.entries(filesWithVersion(version, readText))) writeText(path, text);
  await writeGuides();
}

/** Undoes a release that is not complete. Synchronous, because it also runs at the exit of the process. */
function undoRelease(commitBefore: string, version: string, tag: string): void {
  const runGit = (...args: string[]): string => execFileSync("git", args, { cwd: projectRoot, encoding: "utf8" });
  runGit("reset", "--hard", "--quiet", commitBefore);
  for (const path of [`${releasedFolder}/${version}.json`, pathOf(`release/${version}`)])
    rmSync(path, { recursive: true, force: true });
  if (runGit("tag", "--list", tag) !== "") runGit("tag", "--delete", tag);
  console.log("Nothing was released: the repository is unchanged.");
}

async function nextRelease(level: Level, today: string) {
  const [releasedVersion] = releasedVersions();
  if (releasedVersion === undefined) throw new UsageError("openapi/released has no contract to compare with.");
  const changes = compareContracts((await readEarlier(releasedVersion)).document, await bundleAnnotated(new Sources()));
  const { otherChanges, problems } = applyExemptions(changes, readExemptions(), today);
  if (problems.length > 0) throw new UsageError(problems.join("\n"));
  const version = releaseVersion(level, {
    releasedVersion,
    changes: otherChanges,
    changelogText: unreleasedOf(readText("CHANGELOG.md")),
  });
  return { version, changes, exemptChangeCount: changes.length - otherChanges.length };
}

/** @param today as YYYY-MM-DD. @returns the version that was set. */
export async function setNextVersion(level: Level, today: string): Promise<string> {
  const { version } = await nextRelease(level, today);
  await setVersion(version);
  return version;
}

const sbomFile = "sbom.cdx.json";
const licencesFile = "dependencies.md";

/**
 * Makes the files of the tagged commit in `release/<version>/`.
 *
 * @throws {UsageError} if the commit is not a release, or a dependency is not permitted; the error of a step that fails.
 */
export async function makeArtifacts({ mustTry }: Pick<ReleaseOptions, "mustTry">): Promise<void> {
  const { name: packageName, version, dependencies: runtimeVersions, devDependencies } = readManifest();
  await checkTagged(version);
  const dependencies = readDependencies();
  const problems = dependencyProblems(dependencies, { ...runtimeVersions, ...devDependencies });
  if (problems.length > 0) throw new UsageError(problems.join("\n"));
  await checkRegistry({ mustTry });
  await build();
  const folder = pathOf(`release/${version}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tarball = await tryPackage(folder, { mustTry });
  await runStep("sbom", () => makeSbom(folder, packageName, dependencies));
  await runStep("site", () => copySites(folder, version));
  console.log(
    `\nNothing is pushed or published. Look at "git show" and ${relative(projectRoot, tarball)}, then:\n  git push --follow-tags\nThe workflow "release" makes the same package from the tag and publishes it, and the pages.`,
  );
}

/** Writes the SBOM, and the licences of the dependencies. @returns the summary of this step. */
async function makeSbom(folder: string, packageName: string, dependencies: readonly Dependency[]): Promise<string> {
  const args = ["sbom", "--omit=dev", "--package-lock-only", "--sbom-format=cyclonedx"];
  const text = await run("npm", args, { cwd: projectRoot });
  const bundledPackages = dependencies.filter(({ isShipped, isDevelopment }) => isShipped && isDevelopment);
  const sbom = correctSbom(JSON.parse(text), packageName, bundledPackages);
  writeFileSync(join(folder, sbomFile), `${JSON.stringify(sbom, null, 2)}\n`);
  writeFileSync(join(folder, licencesFile), dependencyReport(dependencies));
  return `${sbom.components.length} components; licences in ${licencesFile}`;
}

/** Makes the sites in the folder of the release, with the files of {@link makeSbom}. @returns the summary of this step. */
async function copySites(folder: string, version: string): Promise<string> {
  const sources = new Sources();
  const bundles = await bundleEditions(sources);
  const input = { ...(await siteInput(bundles, sources.registers())), hasSbom: true };
  const siteUrl = process.env.DOCS_URL;
  const archiveUrl = siteUrl && `${siteUrl.replace(/\/$/, "")}/${version}/`;
  // The newest version is at the root of the site. Each version also has a folder, whose pages show their version.
  const sites = { site: { siteUrl }, [`site/${version}`]: { siteUrl: archiveUrl, isArchived: true } };
  for (const [path, options] of Object.entries(sites)) {
    const target = join(folder, path);
    cpSync(docsFolder, target, { recursive: true });
    const files = await renderSite(input, options);
    for (const [name, content] of Object.entries(files)) writeFileSync(join(target, name), content);
    for (const name of [sbomFile, licencesFile]) cpSync(join(folder, name), join(target, name));
  }
  return `release/${version}/site, and its pages under ${version}/`;
}

type Sbom = { metadata: { component: object; timestamp?: string }; components: object[]; serialNumber?: string };

/**
 * Corrects npm's SBOM: sets the package's name (npm uses the folder's), removes the package's properties, adds the bundled packages, and
 * removes the time and the random serial number, so that every build gives the same SBOM.
 */
function correctSbom(
  sbom: Sbom,
  packageName: string,
  bundledPackages: readonly { name: string; version: string; licence: string }[],
): Sbom {
  const components = bundledPackages.map(({ name, version, licence }) => ({
    "bom-ref": `${name}@${version}`,
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name}@${version}`,
    licenses: [{ license: { id: licence } }],
  }));
  const { serialNumber, metadata, ...keptFields } = sbom;
  const { timestamp, ...keptMetadata } = metadata;
  const component = { ...metadata.component, name: packageName, properties: [] };
  return { ...keptFields, metadata: { ...keptMetadata, component }, components: [...sbom.components, ...components] };
}

function checkPublishing(): void {
  const { registry, repository, support } = readPublishing();
  const missingKeys = Object.entries({ registry, repository, support }).flatMap(([key, value]) =>
    value === null ? [key] : [],
  );
  if (missingKeys.length > 0)
    throw new UsageError(
      `publishing.yaml has no ${missingKeys.join(", ")}. Set and commit it, its comments say how: the package says where it comes from.`,
    );
}

async function checkRegistry({ mustTry }: Pick<ReleaseOptions, "mustTry">): Promise<void> {
  if (!mustTry) return;
  const viewArguments = ["view", "openapi-fetch", "version", "--fetch-retries=0", "--fetch-timeout=10000"];
  await run("npm", viewArguments, { cwd: projectRoot }).catch(() => {
    throw new UsageError(
      "The npm registry does not respond. The packed package is installed from it with what it depends on, and used. Without a registry, add --untried: everything else is made.",
    );
  });
}

async function checkTagged(version: string): Promise<void> {
  checkPublishing();
  const releasedFile = `${releasedFolder}/${version}.json`;
  const problems = tagProblems(version, {
    tags: (await git("tag", "--points-at", "HEAD")).split("\n"),
    status: await git("status", "--porcelain"),
    changelog: readText("CHANGELOG.md"),
    readme: readText("README.md"),
    isContractStored:
      existsSync(releasedFile) &&
      readFileSync(releasedFile, "utf8") === serializeReleased(await bundleAnnotated(new Sources())),
  });
  if (problems.length > 0)
    throw new UsageError(
      `${problems.join("\n")}\nCorrect that, or make a version with "npm run release -- patch" (or minor, major).`,
    );
}
