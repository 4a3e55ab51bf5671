/** The files that name a version, and the texts that a release changes. */
import { readFileSync, writeFileSync } from "node:fs";
import { projectRoot, UsageError } from "../../contract/model/index.ts";
import { installCommand, readPublishing } from "../../contract/sources/index.ts";
import { localSiteUrl } from "../../site/samples/addresses.ts";
import {
  breakingLevel,
  type Change,
  formatMarkdown,
  type Level,
  levelOf,
  levels,
  nextVersion,
} from "../changes/index.ts";

/** What decides on a version. */
export interface SinceRelease {
  /** The last released version. */
  readonly released: string;
  /** What has changed in the contract, without what is exempt. */
  readonly changes: readonly Change[];
  /** What the changelog has under "Unreleased"; "**Breaking**" in it says that the client or the mock breaks. */
  readonly written: string;
}

/**
 * The version of a release.
 *
 * @throws {UsageError} when the changes need more than the level.
 */
export function releaseVersion(level: Level, { released, changes, written }: SinceRelease): string {
  const ofContract = levelOf(changes, released);
  const breaks = breakingLevel(released);
  const needed =
    written.includes("**Breaking**") && levels.indexOf(breaks) > levels.indexOf(ofContract) ? breaks : ofContract;
  if (levels.indexOf(level) >= levels.indexOf(needed)) return nextVersion(released, level);
  const severity = changes.some((change) => change.severity === "breaking") ? "breaking" : "additive";
  const ids = changes.filter((change) => change.severity === severity).map(({ id }) => `  ${id}\n`);
  const why =
    needed === ofContract
      ? `${severity} changes of the contract (${ids.length})`
      : 'entries with "**Breaking**" in CHANGELOG.md';
  throw new UsageError(
    `Since ${released}, there are ${why}, which need a ${needed} version.\n${ids.slice(0, 10).join("")}Release with "npm run release -- ${needed}".`,
  );
}

/** Sets the version in package.json, package-lock.json, the contract and the README's command that installs the package. */
export function setVersion(version: string): void {
  edit("package.json", /^( {2}"version": )"[^"]*"/m, `$1"${version}"`);
  // The root, and the entry of this package.
  edit("package-lock.json", /^( {2}"version": )"[^"]*"/m, `$1"${version}"`);
  edit("package-lock.json", /("": \{\s*"name": "[^"]*",\s*"version": )"[^"]*"/, `$1"${version}"`);
  edit("openapi/openapi.yaml", /^( {2}version: ).*$/m, `$1${version}`);
  edit("README.md", /^npm install .*$/m, installLine(version));
}

/** What README.md says to install a version of the package, on a line of its own. */
export function installLine(version: string): string {
  const { name } = JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8"));
  return installCommand(readPublishing(), { name, version, siteUrl: localSiteUrl });
}

function edit(path: string, find: RegExp, put: string): void {
  const file = `${projectRoot}/${path}`;
  const text = readFileSync(file, "utf8");
  if (!find.test(text)) throw new UsageError(`${path} names no version.`);
  writeFileSync(file, text.replace(find, put));
}

const heading = "## Unreleased";

/** A changelog up to the heading "Unreleased", and what follows it. @throws {UsageError} when it has no such heading. */
function splitAtUnreleased(changelog: string): [before: string, rest: string] {
  const [before = "", rest] = changelog.split(`${heading}\n`);
  if (rest === undefined) throw new UsageError(`CHANGELOG.md has no line "${heading}", which a release dates. Add it.`);
  return [before, rest];
}

/** What stands in a changelog under "Unreleased"; empty where nothing does. @throws {UsageError} when it has no such heading. */
export function unreleasedOf(changelog: string): string {
  const [, rest] = splitAtUnreleased(changelog);
  return (rest.split(/^## /m)[0] ?? "").trim();
}

/**
 * Dates what is unreleased.
 *
 * @param date as YYYY-MM-DD.
 * @param changes of the contract, which are listed before what people wrote.
 */
export function datedChangelog(changelog: string, version: string, date: string, changes: readonly Change[]): string {
  const written = unreleasedOf(changelog);
  const found = formatMarkdown(changes).trim();
  if (written === "" && found === "") {
    throw new UsageError(
      `There is nothing to release: CHANGELOG.md has nothing under "Unreleased", and the contract has not changed.`,
    );
  }
  const [before, rest] = splitAtUnreleased(changelog);
  const older = rest.slice(rest.indexOf(written) + written.length).trim();
  const section = [`## ${version} (${date})`, found, written].filter((part) => part !== "").join("\n\n");
  return `${before}${heading}\n\n${section}\n${older === "" ? "" : `\n${older}\n`}`;
}

/** The register of exemptions without its entries: the contract that they were for is the released one now. */
export function withoutExemptions(text: string): string {
  return text.replace(/^(?!#|\s*$)[\s\S]*/m, "[]\n");
}
