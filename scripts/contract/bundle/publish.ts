import { methods, type OpenApiDocument, visitObjects } from "../model/index.ts";
import type { Publication } from "../sources/index.ts";
import { componentSchemasOf } from "./components.ts";
import { useSampleValues } from "./sample-examples.ts";
import { addStandardKeywords } from "./standard-keywords.ts";

/** Returns a copy with only the published `x-` keys. Adds the sample values of the scenario, standard keywords and `x-since`. */
export function publish(document: OpenApiDocument, publication: Publication): OpenApiDocument {
  const copy = structuredClone(document);
  publishInPlace(copy, publication);
  return copy;
}

export function publishInPlace(document: OpenApiDocument, publication: Publication): void {
  visitObjects(document, (object) => removeExtensions(object, publication.keys));
  useSampleValues(document, publication.samples);
  addStandardKeywords(document, publication);
  addSince(document, publication.releases);
}

function removeExtensions(object: object, keptKeys: readonly string[]): void {
  const extensions = Object.keys(object).filter((key) => key.startsWith("x-"));
  for (const key of extensions) if (!keptKeys.includes(key)) Reflect.deleteProperty(object, key);
}

/** `x-since` is the first released version that has the operation, webhook or component schema. */
function addSince(document: OpenApiDocument, releases: Publication["releases"]): void {
  const elements = releasableElements(document);
  for (const { version, document: release } of [...releases].reverse()) {
    for (const name of releasableElements(release).keys())
      Object.assign(elements.get(name) ?? {}, { "x-since": version });
  }
}

function releasableElements(document: OpenApiDocument): Map<string, object> {
  const items = Object.entries({ ...document.paths, ...document.webhooks });
  const operations = items.flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] === undefined ? [] : [[`${method} ${path}`, item[method]] as const])),
  );
  return new Map<string, object>([...operations, ...Object.entries(componentSchemasOf(document))]);
}
