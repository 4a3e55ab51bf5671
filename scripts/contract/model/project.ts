/** Where things are in this repository, and which editions there are. */
import { fileURLToPath } from "node:url";
import { UsageError } from "../messages/usage-error.ts";

/** Absolute path of the repository. */
export const projectRoot: string = fileURLToPath(new URL("../../../", import.meta.url)).replace(/\/$/, "");

/** The hand-written contract. */
export const contractFile: string = `${projectRoot}/openapi/openapi.yaml`;

/** The editions of the contract: `latest` has the operations that are stated or seen, `test` has all of them. */
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

/** Absolute path of the folder that holds everything that is generated. */
export const generatedFolder: string = `${projectRoot}/generated`;

/** Absolute path of the folder that holds the bundles of an edition. */
export function editionFolder(edition: Edition, folder: string = generatedFolder): string {
  return `${folder}/${edition}`;
}

/** Absolute path of the folder that the site is built into. */
export const docsFolder: string = `${generatedFolder}/docs`;

/** Absolute path of what the mock runs on, a module that `scripts/mock/make-plan/` makes. */
export const planFile: string = `${projectRoot}/generated/mock/plan.js`;

/** Absolute path of a bundle. */
export function bundleFile(edition: Edition, format: "yaml" | "json", folder?: string): string {
  return `${editionFolder(edition, folder)}/openapi.${format}`;
}
