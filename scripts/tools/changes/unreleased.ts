import type { OpenApiDocument } from "../../contract/model/index.ts";
import { compareContracts } from "./compare.ts";
import { readReleased, releasedVersions } from "./releases.ts";
import { formatMarkdown } from "./report.ts";

/** In Markdown, for the changelog; empty if there are no changes, or no version has been released. */
export function unreleasedChanges(current: OpenApiDocument): string {
  const [version] = releasedVersions();
  return version === undefined ? "" : formatMarkdown(compareContracts(readReleased(version), current));
}
