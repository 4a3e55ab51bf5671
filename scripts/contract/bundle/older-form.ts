/** The OpenAPI 3.0 form of a published document, for tools that do not read 3.1. */
import { Converter } from "@apiture/openapi-down-convert";
import {
  type ExampleObject,
  generalError,
  isCode,
  isRef,
  type JsonSchema,
  type MediaTypeObject,
  type OpenApiDocument,
  type Ref,
  valueAt,
} from "../model/index.ts";
import { removeUnused } from "./parts.ts";
import { questionTexts } from "./standard-keywords.ts";

const notice = `

**This is the OpenAPI 3.0 form**, made from the 3.1 document with openapi-down-convert for tools that do not read 3.1. It says less, so that
such tools can use it. A set of known values is a \`string\` with \`x-extensible-enum\`. A value of which two types are possible has the type
that the examples show, and its description names the others. A reference with something beside it is a copy of what it refers to. The
errors of a response that is open to other codes are one schema, and its description lists the known codes. Conditions between the fields
of a body (\`if\`, one of two fields that is required) and all examples of a schema but the first are left out. A P-code, a constant in 3.1,
is an \`enum\` of one value. The webhooks are under \`x-webhooks\`. Where the two differ, the 3.1 document is right.
`;

/** The component that the errors of a response share if some of them have no code. */
const errorWithOrWithoutCode = "ErrorWithOrWithoutCode";

type Schemas = Record<string, JsonSchema>;
type Part = Record<string, unknown>;

export function toOpenApi30(published: OpenApiDocument): OpenApiDocument {
  const { webhooks, jsonSchemaDialect: _, ...document } = structuredClone(published);
  const { summary: __, ...info } = document.info;
  document.info = { ...info, description: `${info.description ?? ""}${notice}` };
  if (webhooks !== undefined) Object.assign(document, { "x-webhooks": webhooks });
  new Simplifier(document).rewrite();
  const converted = new Converter(document, { allOfTransform: true }).convert() as OpenApiDocument;
  removeUnused(converted);
  const questions = converted["x-questions"];
  if (questions !== undefined) {
    delete converted["x-questions"];
    converted["x-questions"] = questionTexts(converted, questions);
  }
  return converted;
}

/** Rewrites the schemas of a document without what OpenAPI 3.0 lacks or most code generators cannot read. */
class Simplifier {
  readonly #document: OpenApiDocument;
  readonly #components: Schemas;
  readonly #added: Schemas = {};
  /** The types of the values that the examples show for a schema. */
  readonly #shown = new Map<object, Set<string>>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#components = (document.components?.schemas ?? {}) as Schemas;
  }

  rewrite(): void {
    const { components: { schemas: _, ...others } = {}, ...rest } = this.#document;
    this.#writeOutExamples(rest);
    this.#writeOutExamples(others);
    const components = Object.entries(this.#components).map(([name, schema]) => [name, this.#schema(schema)]);
    this.#schemasWithin(rest);
    this.#schemasWithin(others);
    Object.assign(this.#document.components ?? {}, { schemas: { ...Object.fromEntries(components), ...this.#added } });
  }

  /** Replaces references to examples: validators for OpenAPI 3.0 take an `id` in a shared example for the schema keyword `id` of JSON Schema draft 4. */
  #writeOutExamples(part: object): void {
    for (const [key, value] of Object.entries(part)) {
      if (typeof value !== "object" || value === null) continue;
      if (key !== "examples") this.#writeOutExamples(value);
      else {
        const { schema } = part as MediaTypeObject;
        const examples = Object.entries(value as Record<string, ExampleObject | Ref>).map(([name, example]) => {
          return [name, isRef(example) ? (valueAt(this.#document, example.$ref) as ExampleObject) : example] as const;
        });
        for (const [, example] of examples) this.#note(schema, example.value);
        Object.assign(part, { examples: Object.fromEntries(examples) });
      }
    }
  }

  #note(schema: JsonSchema | undefined, value: unknown): void {
    if (schema === undefined) return;
    if (isRef(schema)) this.#note(valueAt(this.#document, schema.$ref) as JsonSchema, value);
    this.#shown.set(schema, (this.#shown.get(schema) ?? new Set()).add(Array.isArray(value) ? "array" : typeof value));
    const { allOf = [], oneOf = [], items, properties = {} } = schema as JsonSchema;
    for (const part of [...allOf, ...oneOf]) this.#note(part as JsonSchema, value);
    if (Array.isArray(value)) for (const item of value) this.#note(items as JsonSchema, item);
    for (const [name, property] of Object.entries(properties)) {
      const member = (value as Part | null)?.[name];
      if (member !== undefined) this.#note(property as JsonSchema, member);
    }
  }

  #schemasWithin(part: object): void {
    for (const [key, value] of Object.entries(part)) {
      if (typeof value !== "object" || value === null || key === "examples") continue;
      if (key === "content" && "description" in part) {
        Object.assign(part, { description: `${part.description}${knownCodes(value)}` });
      }
      if (key === "schema") Object.assign(part, schemaWithMarks(this.#schema(value as JsonSchema)));
      else this.#schemasWithin(value);
    }
  }

  #schema(schema: JsonSchema): JsonSchema {
    if (isRef(schema)) return this.#reference(schema);
    const { if: _, then: __, else: ___, oneOf, anyOf, allOf, ...rest } = schema as Record<string, JsonSchema[]>;
    const own = this.#parts(rest as JsonSchema);
    const known = own["x-open-enum"];
    if (known !== undefined) return withKnownValues(own, Object.keys(known));
    if (oneOf?.every((each) => isRef(each))) {
      const [only, ...others] = oneOf.map((each) => alone((each as unknown as Ref).$ref));
      return others.length === 0 && only !== undefined ? only : ({ ...own, oneOf: [only, ...others] } as JsonSchema);
    }
    if (anyOf?.every((each) => isRef(each))) return this.#generalErrorOf(anyOf as unknown as Ref[]);
    // These alternatives only require other fields of the same object.
    if (anyOf?.every(({ required }) => required !== undefined)) return own;
    // Only a request has a choice between two types, and a caller needs one of them.
    if (anyOf?.[0] !== undefined) return { ...this.#schema(anyOf[0]), ...own };
    if (oneOf !== undefined) return this.#union(schema, own, oneOf);
    if (allOf !== undefined) return this.#flattened(own, allOf);
    return this.#oneType(schema, own);
  }

  /**
   * Keeps a reference without other keywords. With other keywords, a reference to an object that cannot be null is kept too, because the
   * converter turns it into an `allOf`; any other target is copied.
   */
  #reference({ $ref, ...beside }: JsonSchema & Ref): JsonSchema {
    if (Object.keys(beside).length === 0) return alone($ref);
    const target = this.#target($ref);
    const isKept = target.properties !== undefined && ![target.type].flat().includes("null");
    return isKept ? ({ $ref, ...beside } as unknown as JsonSchema) : copyOf(target, beside);
  }

  #union(schema: JsonSchema, own: JsonSchema, alternatives: JsonSchema[]): JsonSchema {
    const values = alternatives
      .filter(({ type }) => type !== "null")
      .map((each) => (isRef(each) ? copyOf(this.#target(each.$ref), {}) : this.#schema(each)));
    const isShown = ({ type }: JsonSchema) => this.#shown.get(schema)?.has(String(type));
    const chosen = values.find(isShown) ?? values[0];
    const types = [...new Set(values.flatMap(({ type }) => type ?? []))];
    const type = values.length === alternatives.length ? types : [...types, "null"];
    return this.#oneType(schema, copyOf(chosen ?? own, { ...own, type: type.length === 1 ? type[0] : type }));
  }

  /** A list of types becomes the one that the examples show, because most languages cannot express it. */
  #oneType(schema: JsonSchema, own: JsonSchema): JsonSchema {
    const types = [own.type ?? []].flat().filter((type) => type !== "null");
    if (types.length < 2) return own;
    const chosen = types.find((type) => this.#shown.get(schema)?.has(type === "integer" ? "number" : type)) ?? types[0];
    const others = types.filter((type) => type !== chosen);
    const type = [own.type].flat().includes("null") ? [chosen, "null"] : chosen;
    return describedBy({ ...own, type } as JsonSchema, `It can also be of the type ${others.join(" or ")}.`);
  }

  #flattened(own: JsonSchema, allOf: JsonSchema[]): JsonSchema {
    const parts = allOf.map((part) => (isRef(part) ? this.#target(part.$ref) : this.#schema(part)));
    const [first = {} as JsonSchema] = parts;
    const all = [...parts, own];
    const lists = (["required", "x-open-questions"] as const).map((key) => {
      return [key, [...new Set(all.flatMap((part) => part[key] ?? []))]] as const;
    });
    const properties = Object.assign({}, ...all.map((part) => part.properties));
    return {
      ...copyOf(first, own),
      properties,
      ...Object.fromEntries(lists.filter(([, list]) => list.length > 0)),
    } as JsonSchema;
  }

  /** Replaces the `anyOf` of an open response, which has no discriminator, by one schema for all its errors. */
  #generalErrorOf(errors: Ref[]): JsonSchema {
    const general = this.#target(componentRef(generalError));
    const lists = errors.map(({ $ref }) => this.#target($ref).required ?? []);
    const required = general.required?.filter((field) => lists.every((list) => list.includes(field)));
    if (required?.length === general.required?.length) return alone(componentRef(generalError));
    const [title, description] = ["Error with or without a code", "The error format with any P-code, or without one."];
    this.#added[errorWithOrWithoutCode] ??= { ...general, title, description, required } as JsonSchema;
    return alone(componentRef(errorWithOrWithoutCode));
  }

  #parts(schema: JsonSchema): JsonSchema {
    const { properties, items, additionalProperties, examples, ...others } = schema;
    const made: Part = others;
    if (examples?.[0] !== undefined) made.example = examples[0];
    if (properties !== undefined) {
      const entries = Object.entries(properties).map(([name, inner]) => [name, this.#schema(inner as JsonSchema)]);
      made.properties = Object.fromEntries(entries);
    }
    for (const [keyword, inner] of Object.entries({ items, additionalProperties })) {
      if (typeof inner === "object") made[keyword] = this.#schema(inner as JsonSchema);
    }
    for (const [exclusive, limit] of [
      ["exclusiveMinimum", "minimum"],
      ["exclusiveMaximum", "maximum"],
    ] as const) {
      if (typeof schema[exclusive] === "number") Object.assign(made, { [limit]: schema[exclusive], [exclusive]: true });
    }
    return made as JsonSchema;
  }

  #target($ref: string): JsonSchema {
    return this.#schema(valueAt(this.#document, $ref) as JsonSchema);
  }
}

/** The copy has no title, origin and version of the component, and no meanings of known values: readers find them at the component. */
function copyOf(schema: JsonSchema, beside: Part): JsonSchema {
  const { title: _, "x-open-enum": __, "x-origin": ___, "x-since": ____, ...target } = schema;
  const copy = { ...target, ...beside } as JsonSchema;
  const { "x-extensible-enum": known } = target as { "x-extensible-enum"?: string[] };
  return known === undefined || beside.description === undefined ? copy : describedBy(copy, knownValues(known));
}

/** A reference without other keywords: the items of a `oneOf` of references can have none. */
function alone($ref: string): JsonSchema {
  return { $ref } as unknown as JsonSchema;
}

function componentRef(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Moves the `x-` keys beside a reference to the object that contains the schema, so that generators use the name of the component. */
function schemaWithMarks(schema: JsonSchema): Part {
  if (!isRef(schema)) return { schema };
  const { $ref, ...beside } = schema;
  const marks = Object.entries(beside).filter(([key]) => key.startsWith("x-"));
  return marks.length === Object.keys(beside).length ? { schema: { $ref }, ...Object.fromEntries(marks) } : { schema };
}

function withKnownValues(schema: JsonSchema, values: string[]): JsonSchema {
  return { ...describedBy(schema, knownValues(values)), type: "string", "x-extensible-enum": values } as JsonSchema;
}

function knownValues(values: readonly string[]): string {
  return `Known values: ${values.join(", ")}. Others are possible.`;
}

/** The codes of an open response, which its schema no longer lists. */
function knownCodes(content: Record<string, MediaTypeObject>): string {
  const errors = Object.values(content).flatMap(({ schema }) => (schema?.anyOf ?? []) as Ref[]);
  const codes = errors.map(({ $ref }) => $ref.slice($ref.lastIndexOf("/") + 1)).filter(isCode);
  return codes.length === 0 ? "" : ` Known codes: ${codes.join(", ")}. Others are possible.`;
}

function describedBy(schema: JsonSchema, sentence: string): JsonSchema {
  return { ...schema, description: [schema.description?.trimEnd(), sentence].filter(Boolean).join(" ") };
}
