/** Bundles the hand-written contract into one document per edition. */
import { bundle, createConfig, stringifyYaml } from "@redocly/openapi-core";
import type { OpenApiDocument } from "../contract/document.ts";
import { contractFile, type Edition } from "../contract/project.ts";
import { UsageError } from "../contract/usage-error.ts";
import { filterEdition } from "./edition.ts";

/**
 * Bundles the contract, every `$ref` to another file turned into one to `#/components`, and keeps what belongs to the
 * edition. Nothing is written.
 *
 * @param edition the edition to make.
 * @param file absolute path of the root file; the contract of this repository by default.
 * @throws {UsageError} when a file cannot be read or parsed, or a `$ref` does not resolve; the message names the place.
 */
export async function bundleContract(edition: Edition, file = contractFile): Promise<OpenApiDocument> {
  return filterEdition(await bundleSources(file), edition);
}

/**
 * Bundles both editions. The sources are read once.
 *
 * @throws {UsageError} as {@link bundleContract}.
 */
export async function bundleEditions(file = contractFile): Promise<Record<Edition, OpenApiDocument>> {
  const whole = await bundleSources(file);
  return { latest: filterEdition(whole, "latest"), test: filterEdition(whole, "test") };
}

/** The whole contract in one document, with everything that any edition holds. */
async function bundleSources(file: string): Promise<OpenApiDocument> {
  const config = await createConfig({ extends: [] });
  const result = await bundle({ ref: file, config }).catch((error: Error) => {
    throw new UsageError(`The contract cannot be read: ${error.message}`);
  });
  const failures = result.problems.filter((problem) => problem.severity === "error");
  if (failures.length > 0) {
    const places = failures.map((problem) => {
      const location = problem.location[0];
      return `  ${location?.source.absoluteRef ?? file}: ${problem.message}`;
    });
    throw new UsageError(`The contract cannot be bundled:\n${places.join("\n")}\nRun "npm run lint" for line numbers.`);
  }
  // Without nodes that stand in several places, so that filtering one never changes another.
  return JSON.parse(JSON.stringify(result.bundle.parsed)) as OpenApiDocument;
}

/** The document as YAML text, without anchors. */
export function toYaml(document: OpenApiDocument): string {
  return stringifyYaml(document, { noRefs: true, lineWidth: -1 });
}

/** The document as JSON text. */
export function toJson(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
