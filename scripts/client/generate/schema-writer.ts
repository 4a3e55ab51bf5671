import { UsageError } from "../../contract/base/index.ts";
import { compositions, formOf, type JsonSchema, type SourceLocation } from "../../contract/model/index.ts";
import { RawSource, toLiteral } from "./text.ts";

/** A format that is not listed is an error, because it would not be checked. */
const formats: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  "date-time":
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
};

/** The runtime implements each of these keywords (`scripts/client/src/checks/conformance.ts`). */
const copiedKeywords = new Set([
  ...["type", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "required"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
]);
const applicators = new Set<string>([
  ...["properties", "items", "additionalProperties", "not", "if", "then", "else", ...compositions],
]);

/** Keywords without effect on validity. `discriminator` only repeats constants of the branches. */
const annotationKeywords = new Set([
  "$comment",
  "title",
  "description",
  "examples",
  "example",
  "default",
  "deprecated",
  "discriminator",
]);

/** Writes schemas as the runtime reads them. Each component becomes a constant, which comes before the schemas that use it. */
export class SchemaWriter {
  readonly #constants = new Map<string, string>();

  write(location: SourceLocation): string {
    return toLiteral(this.#schemaAt(location));
  }

  declarations(): string {
    return [...this.#constants].map(([name, text]) => `const ${name}: Schema = ${text};\n`).join("");
  }

  #schemaAt(location: SourceLocation): unknown {
    if (typeof location.value === "boolean") return location.value ? {} : { not: {} };
    const { $ref, ...siblings } = location.value as JsonSchema & { $ref?: string };
    const members: { allOf?: unknown[] } = Object.fromEntries(
      Object.entries(siblings).flatMap(([keyword, value]) => this.#member(location, keyword, value)),
    );
    if ($ref === undefined) return members;
    const target = new RawSource(this.#nameOf(location.nextTarget));
    const { allOf = [], ...otherMembers } = members;
    return Object.keys(members).length === 0 ? target : { allOf: [target, ...allOf], ...otherMembers };
  }

  #nameOf(component: SourceLocation): string {
    const { name } = component;
    if (!this.#constants.has(name)) this.#constants.set(name, this.write(component));
    return name;
  }

  #schemasUnder(location: SourceLocation, keyword: string): unknown {
    const holder = location.child(keyword);
    const form = formOf(keyword);
    if (form === "list") return holder.items().map((item) => this.#schemaAt(item));
    if (form === "one") return this.#schemaAt(holder);
    return Object.fromEntries(holder.entries().map(([name, item]) => [name, this.#schemaAt(item)]));
  }

  #member(location: SourceLocation, keyword: string, value: unknown): [keyword: string, value: unknown][] {
    if (copiedKeywords.has(keyword)) return [[keyword, value]];
    if (applicators.has(keyword))
      return keyword === "items" && value === true ? [] : [[keyword, this.#schemasUnder(location, keyword)]];
    switch (keyword) {
      case "const":
      case "enum":
        for (const item of [value].flat())
          if (typeof item === "object" && item !== null)
            throw new UsageError(`${location.pointer}: the client compares no objects and lists with ${keyword}.`);
        return [[keyword, value]];
      case "pattern":
        return [[keyword, patternAt(location)]];
      case "format":
        return [[keyword, formatAt(location, String(value))]];
      case "x-open-enum":
        return [["known", Object.keys(value as object)]];
      case "x-open-questions":
        return [["question", (value as string[])[0]]];
    }
    if (annotationKeywords.has(keyword) || keyword.startsWith("x-")) return [];
    throw new UsageError(
      `${location.pointer}: the client does not know the keyword "${keyword}" (scripts/client/generate/schema-writer.ts).`,
    );
  }
}

export function patternAt(location: SourceLocation): RegExp {
  try {
    return new RegExp(String(location.child("pattern").value), "u");
  } catch (error) {
    throw new UsageError(`${location.pointer}/pattern: ${(error as Error).message}.`);
  }
}

function formatAt(location: SourceLocation, format: string): RegExp {
  const pattern = formats[format];
  if (pattern !== undefined) return pattern;
  const formatNames = Object.keys(formats).join(", ");
  throw new UsageError(
    `${location.pointer}: unknown format "${format}". Known formats: ${formatNames} (scripts/client/generate/schema-writer.ts).`,
  );
}
