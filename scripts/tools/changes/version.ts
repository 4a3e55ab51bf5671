import type { Change } from "./compare.ts";
import { compareVersions } from "./releases.ts";

export const levels = ["patch", "minor", "major"] as const;
export type Level = (typeof levels)[number];

export function nextVersion(releasedVersion: string, level: Level): string {
  const [major = 0, minor = 0, patch = 0] = releasedVersion.split(".").map(Number);
  if (level === "major") return `${major + 1}.0.0`;
  return level === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** The level that permits breaking changes: minor before 1.0.0, major from then on. */
export function breakingLevel(releasedVersion: string): Level {
  return releasedVersion.startsWith("0.") ? "minor" : "major";
}

/** The lowest level that permits the changes. From 1.0.0 on, additions require a minor version. */
export function levelOf(changes: readonly Change[], releasedVersion: string): Level {
  const hasSeverity = (severity: Change["severity"]) => changes.some((change) => change.severity === severity);
  if (hasSeverity("breaking")) return breakingLevel(releasedVersion);
  return hasSeverity("additive") && !releasedVersion.startsWith("0.") ? "minor" : "patch";
}

export function versionProblem(
  changes: readonly Change[],
  releasedVersion: string,
  version: string,
): string | undefined {
  const breakingChanges = changes.filter(({ severity }) => severity === "breaking");
  const level = breakingLevel(releasedVersion);
  const neededVersion = nextVersion(releasedVersion, level);
  if (breakingChanges.length === 0 || compareVersions(version, neededVersion) >= 0) return undefined;
  return `The contract breaks what ${releasedVersion} promised, so its version has to be ${neededVersion} at least; it is ${version}. Keep what was promised, set the version (npm run release -- ${level} --version-only), or add an exemption to openapi/exemptions.yaml.`;
}
