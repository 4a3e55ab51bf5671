import {
  catalogue,
  isObject,
  makeErrorTexts,
  responseSchemas,
  type Schema,
  sensitiveNames,
} from "../client/src/entries/internal/index.ts";
import { combinedSchemasOf } from "./pointers.ts";

const { createRedactor, mask } = makeErrorTexts({ catalogue, sensitiveNames });

/** @param apiKey the key of the call, which is masked too; undefined without one. */
export function redactorOf(apiKey: string | undefined): (text: string) => string {
  const headers: Record<string, string> = apiKey === undefined ? {} : { "x-api-key": apiKey };
  return createRedactor(sensitiveNames, () => ({ headers, values: {} }));
}

let vocabulary: ReadonlySet<string> | undefined;

/** Up to three digits in a row only separate words; more are part of a word, because they may be data. */
const wordsIn = (name: string) =>
  name.split(/(?<=[a-z])(?=[A-Z])|_|(?<!\d)\d{1,3}(?!\d)/).map((word) => word.toLowerCase());

function knownWords(): ReadonlySet<string> {
  if (vocabulary !== undefined) return vocabulary;
  const words = new Set<string>();
  const walk = (schema: Schema) => {
    for (const part of combinedSchemasOf(schema)) {
      for (const [name, property] of Object.entries(part.properties ?? {})) {
        for (const word of wordsIn(name)) words.add(word);
        walk(property);
      }
      for (const value of part.known ?? []) for (const word of wordsIn(value)) words.add(word);
      for (const subschema of [part.items, part.additionalProperties]) if (subschema !== undefined) walk(subschema);
    }
  };
  walk(responseSchemas.error);
  for (const { bodies } of Object.values(responseSchemas.operations)) Object.values(bodies ?? {}).forEach(walk);
  vocabulary = words;
  return words;
}

/** The name of an unlisted field may be personal data, so it is replaced by `*` unless the contract's responses contain all its words. */
export function safePointer(pointer: string, rule: string): string {
  if (rule !== "unlisted-field") return pointer;
  const nameStart = pointer.lastIndexOf("/") + 1;
  const isPrintable = wordsIn(pointer.slice(nameStart)).every((word) => word === "" || knownWords().has(word));
  return isPrintable ? pointer : `${pointer.slice(0, nameStart)}*`;
}

export function safeName(name: string): string {
  return safePointer(`/${name.replaceAll("/", "~1")}`, "unlisted-field").slice(1);
}

export function typeName(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : value === undefined ? "nothing" : typeof value;
}

/** Masks sensitive texts and numbers, and other texts that do not look like a constant or a name. */
export function describe(value: unknown, pointer: string): string {
  if (typeof value === "boolean") return String(value);
  if (isObject(value)) {
    const names = Object.keys(value).slice(0, 20).map(maskUnlessName);
    return `an object with ${names.join(", ") || "nothing"}`;
  }
  if (typeof value !== "string" && typeof value !== "number") return typeName(value);
  if (isSensitive(pointer)) return mask;
  return typeof value === "number" ? String(value) : maskUnlessName(value);
}

const constantForm = /^[A-Z][A-Z0-9_]{0,39}$/;

/** Keeps a text that looks like a constant, such as `IN_REVIEW`, or that {@link safeName} keeps. */
export function maskUnlessConstant(text: string): string {
  return constantForm.test(text) || (text !== "" && safeName(text) === text) ? text : maskCharacters(text);
}

/** Keeps a text that looks like a constant, a field name or a currency code. */
function maskUnlessName(text: string): string {
  return constantForm.test(text) || /^[a-z]{1,20}([A-Z][a-z]{1,20}){0,3}$/.test(text) ? text : maskCharacters(text);
}

/** The member `errorCode`, whatever its type; undefined if the body has none. */
export function rawErrorCode(body: unknown): unknown {
  return isObject(body) ? body.errorCode : undefined;
}

export function codeIn(body: unknown): string | undefined {
  const errorCode = rawErrorCode(body);
  return typeof errorCode === "string" ? maskUnlessConstant(errorCode) : undefined;
}

export function isSensitive(pointer: string): boolean {
  return pointer.split("/").some((name) => sensitiveNames.includes(name));
}

/** Cuts the text to 60 characters: `9` stands for a digit, `A` and `a` for letters. A time keeps its T and Z. */
export function maskCharacters(text: string): string {
  const digits = text.slice(0, 60).replace(/\p{N}/gu, "9");
  const form = /^[9\s:.,+TZ/-]+$/.test(digits)
    ? digits
    : digits.replace(/\p{Lu}/gu, "A").replace(/(?!A)[\p{L}\p{M}]/gu, "a");
  return `"${form}${text.length > 60 ? "…" : ""}"`;
}
