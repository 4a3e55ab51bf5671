import { readManifest, UsageError } from "../../base/index.ts";
import { readPublishing } from "../../contract/sources/index.ts";
import { installCommand, localSiteUrl } from "../../site/index.ts";
import {
  breakingLevel,
  type Change,
  formatMarkdown,
  type Level,
  levelOf,
  levels,
  nextVersion,
} from "../changes/index.ts";

export interface UnreleasedState {
  readonly releasedVersion: string;
  /** The changes that are not exempt. */
  readonly changes: readonly Change[];
  /** The text under "Unreleased" in the changelog; "**Breaking**" marks a break of the client or the mock. */
  readonly changelogText: string;
}

export function releaseVersion(level: Level, { releasedVersion, changes, changelogText }: UnreleasedState): string {
  const contractLevel = levelOf(changes, releasedVersion);
  const requiredLevels = [
    contractLevel,
    ...(changelogText.includes("**Breaking**") ? [breakingLevel(releasedVersion)] : []),
  ];
  const neededLevel = levels[
    Math.max(...requiredLevels.map((requiredLevel) => levels.indexOf(requiredLevel)))
  ] as Level;
  if (levels.indexOf(level) >= levels.indexOf(neededLevel)) return nextVersion(releasedVersion, level);
  const severity = changes.some((change) => change.severity === "breaking") ? "breaking" : "additive";
  const ids = changes.filter((change) => change.severity === severity).map(({ id }) => `  ${id}\n`);
  const reason =
    neededLevel === contractLevel
      ? `${severity} changes of the contract (${ids.length})`
      : 'entries with "**Breaking**" in CHANGELOG.md';
  throw new UsageError(
    `Since ${releasedVersion}, there are ${reason}, which need a ${neededLevel} version.\n${ids.slice(0, 10).join("")}Release with "npm run release -- ${neededLevel}".`,
  );
}

export function filesWithVersion(version: string, read: (path: string) => string): Record<string, string> {
  const edit = (path: string, ...edits: [pattern: RegExp, replacement: string][]): [string, string] => {
    const text = edits.reduce((currentText, [pattern, replacement]) => {
      if (!pattern.test(currentText)) throw new UsageError(`${path} names no version.`);
      return currentText.replace(pattern, replacement);
    }, read(path));
    return [path, text];
  };
  const versionEdit: [RegExp, string] = [/^( {2}"version": )"[^"]*"/m, `$1"${version}"`];
  // The lock file has the version twice: at the top level, and in the entry of this package (`packages`, name "").
  const lockEntryEdit: [RegExp, string] = [/("": \{\s*"name": "[^"]*",\s*"version": )"[^"]*"/, `$1"${version}"`];
  return Object.fromEntries([
    edit("package.json", versionEdit),
    edit("package-lock.json", versionEdit, lockEntryEdit),
    edit("openapi/openapi.yaml", [/^( {2}version: ).*$/m, `$1${version}`]),
    edit("README.md", [/^npm install .*$/m, installLine(version)]),
  ]);
}

export function checkReadiness(branch: string, status: string): void {
  if (branch !== "main") throw new UsageError(`Releases are made on the branch main; this is ${branch || "none"}.`);
  if (status !== "") throw new UsageError(`${uncommittedMessage(status)}\nCommit them first.`);
}

function uncommittedMessage(status: string): string {
  const files = status.split("\n").map((line) => `\n  ${line.trim()}`);
  const shownFiles = [...files.slice(0, 10), ...(files.length > 10 ? ["\n  …"] : [])];
  return `There are changes that are not committed (${files.length}):${shownFiles.join("")}`;
}

/** The reasons why a commit cannot be published: it must match its tag and contain all files of a release. */
export function tagProblems(
  version: string,
  commit: {
    readonly tags: readonly string[];
    readonly status: string;
    readonly changelog: string;
    readonly readme: string;
    readonly isContractStored: boolean;
  },
): string[] {
  const { tags, status, changelog, readme, isContractStored } = commit;
  const install = installLine(version);
  return [
    ...(status === "" ? [] : [uncommittedMessage(status)]),
    ...(tags.includes(`v${version}`) ? [] : [`This commit has no tag v${version}.`]),
    ...(unreleasedOf(changelog) === "" ? [] : ['CHANGELOG.md has entries under "Unreleased".']),
    ...(readme.includes(`\n${install}\n`) ? [] : [`README.md has no line "${install}".`]),
    ...(changelog.includes(`\n## ${version} (`) ? [] : [`CHANGELOG.md has no section ${version}.`]),
    ...(isContractStored ? [] : [`openapi/released/${version}.json is not the contract of this commit.`]),
  ];
}

export function installLine(version: string): string {
  return installCommand(readPublishing(), { name: readManifest().name, version, siteUrl: localSiteUrl });
}

const heading = "## Unreleased";

function splitAtUnreleased(changelog: string): [before: string, rest: string] {
  const [textBefore = "", textAfter] = changelog.split(`${heading}\n`);
  if (textAfter === undefined)
    throw new UsageError(`CHANGELOG.md has no line "${heading}", which a release dates. Add it.`);
  return [textBefore, textAfter];
}

export function unreleasedOf(changelog: string): string {
  const [, textAfter] = splitAtUnreleased(changelog);
  return (textAfter.split(/^## /m)[0] ?? "").trim();
}

export function datedChangelog(changelog: string, version: string, date: string, changes: readonly Change[]): string {
  const changelogText = unreleasedOf(changelog);
  const contractChanges = formatMarkdown(changes).trim();
  if (changelogText === "" && contractChanges === "") {
    throw new UsageError(
      `There is nothing to release: CHANGELOG.md has nothing under "Unreleased", and the contract has not changed.`,
    );
  }
  const [textBefore, textAfter] = splitAtUnreleased(changelog);
  const olderSections = textAfter.slice(textAfter.indexOf(changelogText) + changelogText.length).trim();
  const section = [`## ${version} (${date})`, contractChanges, changelogText]
    .filter((part) => part !== "")
    .join("\n\n");
  return `${textBefore}${heading}\n\n${section}\n${olderSections === "" ? "" : `\n${olderSections}\n`}`;
}

/** Empties the exemptions if a release used any, because later changes are compared with the released contract. */
export function emptyExemptions(text: string, exemptChangeCount: number): string {
  return exemptChangeCount > 0 ? text.replace(/^(?!#|\s*$)[\s\S]*/m, "[]\n") : text;
}
