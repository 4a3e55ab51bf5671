export { type Change, compareContracts } from "./compare.ts";
export { applyExemptions, type Exemption, readExemptions } from "./exemptions.ts";
export {
  bundleAnnotated,
  readEarlier,
  releasedFolder,
  releasedVersions,
  serializeReleased,
} from "./releases.ts";
export { formatGithub, formatMarkdown, formatText } from "./report.ts";
export { unreleasedChanges } from "./unreleased.ts";
export type { Severity } from "./verdicts.ts";
export { breakingLevel, type Level, levelOf, levels, nextVersion, versionProblem } from "./version.ts";
