import { bundle, type NormalizedProblem, ResolveError, stringifyYaml, YamlParseError } from "@redocly/openapi-core";
import { type Edition, editions, UsageError } from "../../base/index.ts";
import { isRef, keysOf, type OpenApiDocument } from "../model/index.ts";
import { positionOf, positionText, readPublication, readRedoclyConfig, type Sources } from "../sources/index.ts";
import { decoratorsFor } from "./decorators.ts";
import { RefusedSchema, toOpenApi30 } from "./openapi-30/index.ts";
import { publish } from "./publish.ts";
import { type ComponentPlaces, sourceFinder } from "./source-of.ts";

export interface BundledContract {
  document: OpenApiDocument;
  places: ComponentPlaces;
}

export interface Bundle extends BundledContract {
  /** Has only the `x-` keys that extensions.yaml marks as `published`. The texts below are made from it. */
  published: OpenApiDocument;
  yaml: string;
  json: string;
  json30: string;
}

/**
 * Keeps every `x-` key of the sources.
 *
 * @throws {UsageError} if a file cannot be read or parsed, or a `$ref` does not resolve.
 */
export async function bundleContract(edition: Edition, sources: Sources): Promise<BundledContract> {
  refuseCircularReferences(sources);
  const places: ComponentPlaces = {};
  const config = await readRedoclyConfig({
    decorators: { oas3: decoratorsFor(sources, { publishes: false, places }) },
  });
  const { bundle: result, problems } = await bundle({
    ref: sources.rootFile,
    config: config.forAlias(edition),
    externalRefResolver: sources.resolver(),
  }).catch((error: Error) => {
    const isMistakeInFile = error instanceof ResolveError || error instanceof YamlParseError || !sources.isOpenApi31();
    if (!isMistakeInFile) throw error;
    throw new UsageError(`The contract cannot be read: ${error.message}`, 1, { cause: error });
  });
  const failures = problems.filter(({ severity }) => severity === "error");
  if (failures.length > 0) {
    const fileErrors = errorsOfFiles(sources);
    // Redocly also reports each reference to a file that cannot be read.
    const lines =
      fileErrors.length > 0 ? fileErrors : [...new Set(failures.map((problem) => lineFor(problem, sources)))];
    throw new UsageError(`The contract cannot be bundled:\n${lines.map((line) => `  ${line}`).join("\n")}`);
  }
  return { document: result.parsed as OpenApiDocument, places };
}

function errorsOfFiles(sources: Sources): string[] {
  const files = sources.unreadableFiles().filter(({ file }) => sources.has(file));
  return files.map(({ file, error }) => {
    if (!(error instanceof YamlParseError)) return `${sources.nameOf(file)}: ${error.message}`;
    const { reason = error.message } = error.originalError as { reason?: string };
    // The parser gives no line for a second document in a file.
    const position = Number.isNaN(error.line) ? "" : `:${error.line}:${error.col}`;
    return `${sources.nameOf(file)}${position}: ${reason}`;
  });
}

function lineFor({ location: [location], message }: NormalizedProblem, sources: Sources): string {
  if (location?.pointer === undefined) return message;
  const { source, pointer } = location;
  const { value } = sources.location(source.absoluteRef).child(...keysOf(pointer));
  const target = isRef(value) ? ` (${value.$ref})` : "";
  return `${positionText(location, sources)}: ${message}${target}`;
}

/** Checked before bundling, because Redocly's error would name no file. */
function refuseCircularReferences(sources: Sources): void {
  const [reference] = sources.circularReferences();
  if (reference === undefined) return;
  const position = positionOf(reference.child("$ref"), sources);
  throw new UsageError(
    `${position}: The reference leads back to itself. Refer to an object that does not contain the reference.`,
  );
}

/** @throws {UsageError} as {@link bundleContract}, and for a schema that the OpenAPI 3.0 form cannot express. */
export async function bundleEditions(sources: Sources): Promise<Record<Edition, Bundle>> {
  const bundles = editions.map(async (edition) => {
    const contract = await bundleContract(edition, sources);
    try {
      return serializeBundle(contract, sources);
    } catch (error) {
      if (!(error instanceof RefusedSchema)) throw error;
      const position = positionOf(sourceFinder(contract.places, sources)(error.pointer), sources);
      throw new UsageError(`${position}: ${error.message}`, 1, { cause: error });
    }
  });
  const [latest, test] = (await Promise.all(bundles)) as [Bundle, Bundle];
  return { latest, test };
}

export function serializeBundle({ document, places }: BundledContract, sources: Sources): Bundle {
  const published = publish(document, readPublication(sources));
  return {
    document,
    places,
    published,
    yaml: toYaml(published),
    json: toJson(published),
    json30: toJson(toOpenApi30(published)),
  };
}

export function toYaml(document: OpenApiDocument): string {
  return stringifyYaml(document, { noRefs: true, lineWidth: -1 });
}

export function toJson(document: OpenApiDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
