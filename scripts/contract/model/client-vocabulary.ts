/** The keywords and formats of schemas that the client implements. Lint reports the others, and the generator refuses them. */
import { compositions, isAnnotation } from "./schemas.ts";

/** Other formats are refused, because the client would not check them. */
export const textFormats: ReadonlyMap<string, RegExp> = new Map([
  ["uuid", /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i],
  ["date", /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/],
  [
    "date-time",
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/,
  ],
  ["email", /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ["uri", /^[a-z][a-z0-9+.-]*:\S+$/i],
]);

/** The client checks these limits. It checks none for int64, because JavaScript rounds numbers of this size. */
export const numberFormats: ReadonlyMap<string, { minimum: number; maximum: number }> = new Map([
  ["int32", { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }],
  ["int64", { minimum: -Infinity, maximum: Infinity }],
]);

export const knownFormats: readonly string[] = [...textFormats.keys(), ...numberFormats.keys()];

/** The runtime implements each of these keywords (`scripts/client/src/checks/conformance.ts`). */
export const copiedKeywords: ReadonlySet<string> = new Set([
  ...["type", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "required"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
]);

export const implementedApplicators: ReadonlySet<string> = new Set([
  ...["properties", "items", "additionalProperties", "not", "if", "then", "else", ...compositions],
]);

/** The client does not check these. `discriminator` adds nothing to check: the branches have the same values as constants. */
export function isUncheckedKeyword(keyword: string): boolean {
  return isAnnotation(keyword) || keyword === "discriminator";
}

export function isKnownKeyword(keyword: string): boolean {
  return (
    ["$ref", "const", "enum", "pattern", "format"].includes(keyword) ||
    copiedKeywords.has(keyword) ||
    implementedApplicators.has(keyword) ||
    isUncheckedKeyword(keyword)
  );
}
