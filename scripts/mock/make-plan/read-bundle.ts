import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { bundleFile, type Edition, type OpenApiDocument, projectRoot, UsageError } from "../../contract/model/index.ts";

/**
 * Reads the bundle of an edition.
 *
 * @param generatedFolder absolute path of the folder with the editions; by default the folder of this repository.
 * @throws {UsageError} when the bundle is missing or not JSON.
 */
export function readBundle(edition: Edition, generatedFolder?: string): OpenApiDocument {
  const file = bundleFile(edition, "json", generatedFolder);
  const name = relative(projectRoot, file);
  if (!existsSync(file)) throw new UsageError(`There is no ${name}. Run "npm run build" first.`);
  try {
    return JSON.parse(readFileSync(file, "utf8")) as OpenApiDocument;
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${(error as Error).message}. Run "npm run build" again.`);
  }
}
