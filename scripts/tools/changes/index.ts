export { type Change, compareContracts } from "./compare.ts";
export { applyExemptions, type Exemption, readExemptions } from "./exemptions.ts";
export {
  readCurrent,
  readEarlier,
  releasedFolder,
  releasedVersions,
  serializeReleased as releasedForm,
} from "./releases.ts";
export { formatGithub, formatMarkdown, formatText } from "./report.ts";
export { unreleasedChanges } from "./unreleased.ts";
export type { Severity } from "./verdicts.ts";
export { breakingLevel, type Level, levelOf, levels, nextVersion, versionProblem } from "./version.ts";
