import {
  type Edition,
  editionsOf,
  type JsonSchema,
  methods,
  type OpenApiDocument,
  type Publication,
  readContract,
} from "../model/index.ts";
import { completeErrors, writeOutErrors } from "./complete-errors.ts";
import { deriveTitles } from "./derive-titles.ts";
import { originsOf } from "./origins.ts";
import { removeUnused } from "./parts.ts";
import { useSampleValues } from "./sample-examples.ts";
import { addStandardKeywords } from "./standard-keywords.ts";

/** Keys whose values are data, in which a name that begins with `x-` is not a key of this contract. */
const dataKeys = ["value", "example", "default", "const", "enum"];

/** Removes what the edition does not have, completes the errors and titles, and sorts the components. Changes the document. */
export function reduceToEdition(document: OpenApiDocument, edition: Edition): void {
  const origins = originsOf(document);
  if (edition === "latest") leaveOutProposed(document);
  writeOutErrors(document);
  deriveTitles(document);
  completeErrors(document);
  keepTags(document);
  removeUnused(document);
  sortComponents(document);
  for (const [name, schema] of Object.entries(schemasIn(document))) {
    const origin = origins.get(name);
    if (origin !== undefined) schema["x-origin"] = origin;
  }
  moveExtensions(document);
}

/** Returns a copy with only the published `x-` keys. The example requests of the copy succeed on a mock started with the scenario. */
export function publish(document: OpenApiDocument, publication: Publication): OpenApiDocument {
  const copy = structuredClone(document);
  publishInPlace(copy, publication);
  return copy;
}

export function publishInPlace(document: OpenApiDocument, publication: Publication): void {
  removeKeys(document, (key) => key.startsWith("x-") && !publication.keys.includes(key));
  useSampleValues(document, publication.samples);
  addStandardKeywords(document, publication);
  addSince(document, publication.released);
}

/** Marks the operations, webhooks and component schemas with the first released version that has them. */
function addSince(document: OpenApiDocument, released: Publication["released"]): void {
  const parts = releasableParts(document);
  for (const { version, document: earlier } of [...released].reverse()) {
    for (const name of releasableParts(earlier).keys()) Object.assign(parts.get(name) ?? {}, { "x-since": version });
  }
}

function releasableParts(document: OpenApiDocument): Map<string, object> {
  const items = Object.entries({ ...document.paths, ...document.webhooks });
  const operations = items.flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] === undefined ? [] : [[`${method} ${path}`, item[method]] as const])),
  );
  return new Map<string, object>([...operations, ...Object.entries(schemasIn(document))]);
}

function schemasIn({ components }: OpenApiDocument): Record<string, JsonSchema> {
  return (components?.schemas ?? {}) as Record<string, JsonSchema>;
}

function leaveOutProposed({ paths, "x-named-operations": named = {} }: OpenApiDocument): void {
  for (const [path, item] of Object.entries(paths)) {
    for (const method of methods) {
      const operation = item[method];
      if (operation === undefined || editionsOf(operation["x-provenance"]).includes("latest")) continue;
      delete item[method];
      const entry = named[operation.operationId ?? ""];
      if (entry !== undefined) entry.omitted = true;
    }
    if (!methods.some((method) => item[method] !== undefined)) delete paths[path];
  }
}

function keepTags(document: OpenApiDocument): void {
  const { operations, webhooks } = readContract(document);
  const used = new Set([...operations, ...webhooks].map(({ tag }) => tag));
  if (document.tags !== undefined) document.tags = document.tags.filter((tag) => used.has(tag.name));
}

function sortComponents(document: OpenApiDocument): void {
  const sections = Object.entries(document.components ?? {}).map(([section, entries]) => {
    return [section, sorted(entries)] as const;
  });
  document.components = sorted(Object.fromEntries(sections));
  if (sections.length === 0) delete document.components;
}

/** Moves the root's `x-` keys to the end, where Redocly's command writes them. */
function moveExtensions(document: OpenApiDocument): void {
  const root = document as unknown as Record<string, unknown>;
  for (const [key, value] of Object.entries(root)) {
    if (!key.startsWith("x-")) continue;
    delete root[key];
    root[key] = value;
  }
}

function sorted<Value>(entries: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function removeKeys(node: unknown, isRemoved: (key: string) => boolean): void {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (isRemoved(key)) delete (node as Record<string, unknown>)[key];
    else if (!dataKeys.includes(key)) removeKeys(value, isRemoved);
  }
}
