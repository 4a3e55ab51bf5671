import type { Edition } from "../../base/index.ts";
import { type JsonSchema, methods, type OpenApiDocument, readContract, visitObjects } from "../model/index.ts";
import type { Publication } from "../sources/index.ts";
import { completeErrors, inlineCommonErrorFields } from "./complete-errors.ts";
import { removeUnused } from "./components.ts";
import { deriveTitles } from "./derive-titles.ts";
import { originsOf } from "./origins.ts";
import { useSampleValues } from "./sample-examples.ts";
import { addStandardKeywords } from "./standard-keywords.ts";

/** Removes what the edition lacks, completes errors, titles and origins, and sorts the components. Changes `document` itself. */
export function makeEdition(document: OpenApiDocument, edition: Edition): void {
  const origins = originsOf(document);
  if (edition === "latest") removeProposed(document);
  inlineCommonErrorFields(document);
  deriveTitles(document);
  completeErrors(document);
  removeUnusedTags(document);
  removeUnused(document);
  sortComponents(document);
  for (const [name, schema] of Object.entries(schemasIn(document))) {
    const origin = origins.get(name);
    if (origin !== undefined) schema["x-origin"] = origin;
  }
  moveExtensions(document);
}

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
  return new Map<string, object>([...operations, ...Object.entries(schemasIn(document))]);
}

function schemasIn({ components }: OpenApiDocument): Record<string, JsonSchema> {
  return (components?.schemas ?? {}) as Record<string, JsonSchema>;
}

function removeProposed({ paths, "x-named-operations": namedOperations = {} }: OpenApiDocument): void {
  for (const [path, item] of Object.entries(paths)) {
    const proposedMethods = methods.filter((method) => item[method]?.["x-provenance"] === "proposed");
    for (const method of proposedMethods) {
      const entry = namedOperations[item[method]?.operationId ?? ""];
      if (entry !== undefined) entry.omitted = true;
      delete item[method];
    }
    const isEmptied = proposedMethods.length > 0 && methods.every((method) => item[method] === undefined);
    if (isEmptied) delete paths[path];
  }
}

function removeUnusedTags(document: OpenApiDocument): void {
  const { operations, webhooks } = readContract(document);
  const usedTags = new Set([...operations, ...webhooks].map(({ tag }) => tag));
  if (document.tags !== undefined) document.tags = document.tags.filter((tag) => usedTags.has(tag.name));
}

function sortComponents(document: OpenApiDocument): void {
  const sections = Object.entries(document.components ?? {}).map(([section, entries]) => {
    return [section, sortByKey(entries)] as const;
  });
  document.components = sortByKey(Object.fromEntries(sections));
  if (sections.length === 0) delete document.components;
}

/** Moves the root's `x-` keys to the end of the document, as the command `redocly bundle` does. */
function moveExtensions(document: OpenApiDocument): void {
  const root = document as unknown as Record<string, unknown>;
  for (const [key, value] of Object.entries(root)) {
    if (!key.startsWith("x-")) continue;
    delete root[key];
    root[key] = value;
  }
}

function sortByKey<Value>(entries: Record<string, Value>): Record<string, Value> {
  const names = Object.keys(entries).sort();
  return Object.fromEntries(names.map((name) => [name, entries[name] as Value]));
}
