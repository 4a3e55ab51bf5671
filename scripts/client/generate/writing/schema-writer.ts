import {
  arityOf,
  copiedKeywords,
  implementedApplicators,
  isUncheckedKeyword,
  type JsonSchema,
  numberFormats,
  type SourceLocation,
} from "../../../contract/model/index.ts";
import { formatAt, patternAt } from "../reading/patterns.ts";
import { Refusal } from "../reading/refusal.ts";
import { RawSource, toLiteral } from "./text.ts";

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
    const { $ref, ...siblings } = withLimits(location.value as JsonSchema & { $ref?: string });
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
    const form = arityOf(keyword);
    if (form === "list") return holder.items().map((item) => this.#schemaAt(item));
    if (form === "one") return this.#schemaAt(holder);
    return Object.fromEntries(holder.entries().map(([name, item]) => [name, this.#schemaAt(item)]));
  }

  #member(location: SourceLocation, keyword: string, value: unknown): [keyword: string, value: unknown][] {
    if (copiedKeywords.has(keyword)) return [[keyword, value]];
    if (implementedApplicators.has(keyword))
      return keyword === "items" && value === true ? [] : [[keyword, this.#schemasUnder(location, keyword)]];
    switch (keyword) {
      case "const":
      case "enum":
        for (const item of [value].flat())
          if (typeof item === "object" && item !== null)
            throw new Refusal(
              location.child(keyword),
              `The client compares no objects and lists with ${keyword}`,
              "Describe their members with properties or items",
            );
        return [[keyword, value]];
      case "pattern":
        return [[keyword, patternAt(location)]];
      case "format":
        return numberFormats.has(String(value)) ? [] : [[keyword, formatAt(location, String(value))]];
      case "x-open-enum":
        return [["known", Object.keys(value as object)]];
      case "x-open-questions":
        return [["question", (value as string[])[0]]];
    }
    if (isUncheckedKeyword(keyword)) return [];
    const extension = "Leave it out, or extend scripts/client/src/checks";
    const remedy = keyword === "nullable" ? 'Add "null" to the types' : extension;
    throw new Refusal(location.child(keyword), `The client does not know the keyword ${keyword}`, remedy);
  }
}

/** The format of a number becomes limits; if the schema has limits too, the tighter ones are kept. */
function withLimits<Keywords extends JsonSchema>(schema: Keywords): Keywords {
  const limits = numberFormats.get(String(schema.format));
  if (limits === undefined) return schema;
  const { minimum = -Infinity, maximum = Infinity } = schema as { minimum?: number; maximum?: number };
  const all = { minimum: Math.max(minimum, limits.minimum), maximum: Math.min(maximum, limits.maximum) };
  return { ...schema, ...Object.fromEntries(Object.entries(all).filter(([, limit]) => Number.isFinite(limit))) };
}
