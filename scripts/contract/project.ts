/** Where things are in this repository, and which editions there are. */
import { fileURLToPath } from "node:url";
import { UsageError } from "./usage-error.ts";

/** Absolute path of the repository. */
export const projectRoot: string = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");

/** The hand-written contract. */
export const contractFile: string = `${projectRoot}/openapi/openapi.yaml`;

/** The editions of the contract: `latest` holds what is stated or seen, `test` holds everything. */
export const editions = ["latest", "test"] as const;
export type Edition = (typeof editions)[number];

/**
 * Reads the name of an edition as a person typed it.
 *
 * @throws {UsageError} when there is no such edition.
 */
export function parseEdition(name: string): Edition {
  const edition = editions.find((candidate) => candidate === name);
  if (edition === undefined) {
    throw new UsageError(`There is no edition "${name}". Choose one of: ${editions.join(", ")}.`);
  }
  return edition;
}

/** Absolute path of the folder that holds everything generated for an edition. */
export function editionFolder(edition: Edition, generatedFolder = `${projectRoot}/generated`): string {
  return `${generatedFolder}/${edition}`;
}

/** Absolute path of the folder that the site is built into. */
export const docsFolder: string = `${projectRoot}/generated/docs`;

/** Absolute path of a bundle. */
export function bundleFile(edition: Edition, format: "yaml" | "json", generatedFolder?: string): string {
  return `${editionFolder(edition, generatedFolder)}/openapi.${format}`;
}
