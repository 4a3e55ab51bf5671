/** Finishes the bundle of an edition, once the operations that it leaves out are gone. */
import { type OpenApiDocument, type Operation, type ResponseObject, readContract } from "../contract/index.ts";

/** Keys of the sources that mean nothing to a reader of a bundle. */
const sourceKeys = ["x-lint-exceptions"];

const dataKeys = ["value", "example", "default", "const", "enum"];

/**
 * Names the edition; takes out links, triggers and tags that lead to nothing in it; sorts the components by name.
 *
 * @param document a bundle; it is changed in place.
 */
export function makeEdition(document: OpenApiDocument, name: string): void {
  document.info.title = `${document.info.title} (${name})`;
  document.info["x-edition"] = name;
  const { operations, webhooks } = readContract(document);
  const operationIds = operations.map(({ operationId }) => operationId);
  const webhookNames = webhooks.map((webhook) => webhook.name);
  for (const operation of operations) {
    keepTriggers(operation, webhookNames);
    keepLinks(operation, operationIds);
  }
  const used = new Set([...operations, ...webhooks].map(({ tag }) => tag));
  if (document.tags !== undefined) document.tags = document.tags.filter((tag) => used.has(tag.name));
  sortComponents(document);
  removeKeys(document, sourceKeys);
}

function keepTriggers({ node, triggers }: Operation, webhooks: string[]): void {
  const kept = triggers.filter((webhook) => webhooks.includes(webhook));
  if (kept.length > 0) node["x-triggers"] = kept;
  else delete node["x-triggers"];
}

function keepLinks({ answers }: Operation, operationIds: string[]): void {
  for (const { place } of answers) {
    const response = place.target.value as ResponseObject;
    if (response.links === undefined) continue;
    const kept = Object.entries(response.links).filter(([, link]) => {
      return "operationId" in link && operationIds.includes(link.operationId ?? "");
    });
    if (kept.length > 0) response.links = Object.fromEntries(kept);
    else delete response.links;
  }
}

function sortComponents(document: OpenApiDocument): void {
  const sections = Object.entries(document.components ?? {}).map(([section, entries]) => {
    return [section, sorted(entries)] as const;
  });
  document.components = sorted(Object.fromEntries(sections));
}

function sorted<Value>(entries: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Removes keys everywhere but in data: the values of examples, defaults and constants. */
function removeKeys(node: unknown, keys: string[]): void {
  if (typeof node !== "object" || node === null) return;
  for (const key of keys) delete (node as Record<string, unknown>)[key];
  for (const [key, value] of Object.entries(node)) if (!dataKeys.includes(key)) removeKeys(value, keys);
}
