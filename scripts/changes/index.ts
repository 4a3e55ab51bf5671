/** What a change of the contract does to partners. */
import type { OpenApiDocument } from "../contract/index.ts";
import { type Change, compareContracts } from "./compare.ts";
import { typeChanges } from "./type-check.ts";

export { type Change, compareContracts } from "./compare.ts";
export { applyExemptions, type Exemption, readExemptions } from "./exemptions.ts";
export {
  compareVersions,
  type Release,
  readCurrent,
  readEarlier,
  releasedFolder,
  releasedVersions,
  releaseHistory,
} from "./releases.ts";
export { formatGithub, formatMarkdown, formatText } from "./report.ts";
export type { Severity } from "./rules.ts";
export { breakingLevel, type Level, levelOf, levels, nextVersion, versionProblem } from "./version.ts";

/** All changes between two contracts: by their elements, and by the types of the client where those see more. */
export async function findChanges(before: OpenApiDocument, after: OpenApiDocument): Promise<Change[]> {
  // Compiling takes seconds.
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const changes = compareContracts(before, after);
  return [...changes, ...(await typeChanges(before, after, changes))];
}
