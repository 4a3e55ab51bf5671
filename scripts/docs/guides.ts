/** The guides: hand-written prose in front of the reference. */
import { readFileSync } from "node:fs";
import { projectRoot } from "../contract/project.ts";
import { UsageError } from "../contract/usage-error.ts";

/** The guides in the order of the page; each is a file of `openapi/guides`. */
export const guideNames = [
  "getting-started",
  "errors",
  "webhooks",
  "webhook-delivery",
  "provenance-and-editions",
  "versions",
] as const;

/**
 * The text of all guides, with the project's own link targets not resolved yet (see `linkText`).
 *
 * @throws {UsageError} when a guide is missing.
 */
export function readGuides(folder = `${projectRoot}/openapi/guides`): string {
  return guideNames.map((name) => readGuide(`${folder}/${name}.md`)).join("\n\n");
}

function readGuide(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new UsageError(`A guide cannot be read (${file}): ${(error as Error).message}`);
  }
}
