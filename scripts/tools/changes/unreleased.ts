/** What has changed since the last version. */
import type { OpenApiDocument } from "../../contract/model/index.ts";
import { compareContracts } from "./compare.ts";
import { readReleased, releasedVersions } from "./releases.ts";
import { formatMarkdown } from "./report.ts";

/**
 * The changes of the contract since the newest released version.
 *
 * @param current the published document of the edition `test`.
 * @returns Markdown, as a release writes it into the changelog; empty while nothing is released.
 */
export function unreleasedChanges(current: OpenApiDocument): string {
  const [version] = releasedVersions();
  return version === undefined ? "" : formatMarkdown(compareContracts(readReleased(version), current));
}
