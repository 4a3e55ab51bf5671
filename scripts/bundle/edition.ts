/** Makes an edition of a bundle. */
import { type Marks, type OpenApiDocument, readContract } from "../contract/index.ts";
import { completeErrors } from "./complete-errors.ts";
import { type FilterRegisters, leaveOutProposed } from "./filter/index.ts";
import { removeUnused } from "./unused.ts";

/** Keys of the sources that mean nothing to a reader of a bundle. */
const sourceKeys = ["x-lint-exceptions"];

const dataKeys = ["value", "example", "default", "const", "enum"];

/** An edition, as redocly.yaml says what it holds. */
export interface EditionOptions {
  name: string;
  /** Whether it holds what is proposed. */
  withProposed: boolean;
}

/**
 * Makes an edition of a bundle: takes out what does not belong to it, completes the answers with P-codes, names the
 * edition, takes out tags and components that nothing uses, and sorts the components by name.
 *
 * @param document a bundle; it is changed in place.
 * @param registers reads the registers, where they are needed.
 */
export function makeEdition(
  document: OpenApiDocument,
  { name, withProposed }: EditionOptions,
  registers: () => FilterRegisters,
): void {
  if (!withProposed) leaveOutProposed(document, registers);
  completeErrors(document);
  document.info.title = `${document.info.title} (${name})`;
  document.info["x-edition"] = name;
  keepTags(document);
  removeUnused(document, (error) => !withProposed && (error as Marks)["x-provenance"] === "proposed");
  sortComponents(document);
  moveExtensions(document);
  removeKeys(document, sourceKeys);
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

/** The `x-` keys of the root come last, as Redocly's command writes them. */
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

/** Removes keys everywhere but in data: the values of examples, defaults and constants. */
function removeKeys(node: unknown, keys: string[]): void {
  if (typeof node !== "object" || node === null) return;
  for (const key of keys) delete (node as Record<string, unknown>)[key];
  for (const [key, value] of Object.entries(node)) if (!dataKeys.includes(key)) removeKeys(value, keys);
}
