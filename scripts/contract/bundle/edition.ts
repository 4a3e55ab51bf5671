import type { Edition } from "../../base/index.ts";
import { methods, type OpenApiDocument, readContract } from "../model/index.ts";
import { completeErrors, inlineCommonErrorFields } from "./complete-errors.ts";
import { componentSchemasOf, removeUnused } from "./components.ts";
import { deriveTitles } from "./derive-titles.ts";
import { originsOf } from "./origins.ts";

/** Removes operations that the edition lacks, completes errors, titles and origins, and sorts the components. Changes `document`. */
export function makeEdition(document: OpenApiDocument, edition: Edition): void {
  const origins = originsOf(document);
  if (edition === "latest") removeProposed(document);
  inlineCommonErrorFields(document);
  deriveTitles(document);
  completeErrors(document);
  removeUnusedTags(document);
  removeUnused(document);
  sortComponents(document);
  for (const [name, schema] of Object.entries(componentSchemasOf(document))) {
    const origin = origins.get(name);
    if (origin !== undefined) schema["x-origin"] = origin;
  }
  moveExtensions(document);
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
    return [section, section.startsWith("x-") ? entries : sortByKey(entries)] as const;
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
