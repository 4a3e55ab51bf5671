/** A bundle on the way to an edition without what is proposed, and what was taken out of it so far. */
import { formOf, isRef, type JsonSchema, type Marks, type OpenApiDocument, valueAt } from "../../contract/index.ts";

export class Draft {
  readonly document: OpenApiDocument;
  /** Names of the properties that were taken out of a schema. */
  readonly removedProperties: WeakMap<object, Set<string>> = new WeakMap();
  /** Values that were taken out of the open set of a schema. */
  readonly removedValues: WeakMap<object, Set<string>> = new WeakMap();

  /** @param document the bundle; it is changed in place. */
  constructor(document: OpenApiDocument) {
    this.document = document;
  }

  /** A node, or what it refers to in the end. */
  target<Value>(node: unknown): Value | undefined {
    let current = node;
    for (const seen = new Set(); isRef(current) && !seen.has(current); ) {
      seen.add(current);
      current = valueAt(this.document, current.$ref);
    }
    return current as Value | undefined;
  }

  /**
   * Whether an element is proposed by its own mark or by that of what it refers to. Marks only weaken, so an element is
   * effectively proposed exactly when this holds for it or for something that encloses it.
   */
  isProposed(node: unknown, seen: ReadonlySet<unknown> = new Set()): boolean {
    if (typeof node !== "object" || node === null || seen.has(node)) return false;
    if ((node as Marks)["x-provenance"] === "proposed") return true;
    return isRef(node) && this.isProposed(valueAt(this.document, node.$ref), new Set(seen).add(node));
  }

  /**
   * A schema with all schemas that judge the same value: what it refers to, and the branches of both.
   *
   * @param options.conditional whether those count that judge it under a condition; they do unless told otherwise.
   */
  composed(schema: unknown, { conditional = true }: { conditional?: boolean } = {}): JsonSchema[] {
    const found = new Set<JsonSchema>();
    const add = (node: unknown): void => {
      if (typeof node !== "object" || node === null || found.has(node as JsonSchema)) return;
      const own: JsonSchema = node as JsonSchema;
      found.add(own);
      if (isRef(node)) add(valueAt(this.document, node.$ref));
      for (const list of [own.allOf, own.anyOf, own.oneOf]) for (const branch of list ?? []) add(branch);
      if (!conditional) return;
      for (const branch of [own.then, own.else, ...Object.values(own.dependentSchemas ?? {})]) add(branch);
    };
    add(schema);
    return [...found];
  }

  /** The names of the properties that a schema describes, those of {@link composed} included. */
  propertyNames(schema: unknown, options: { conditional?: boolean } = {}): Set<string> {
    return new Set(this.composed(schema, options).flatMap(({ properties = {} }) => Object.keys(properties)));
  }
}

/** Notes that something was taken out of a schema. */
export function note(notes: WeakMap<object, Set<string>>, schema: object, name: string): void {
  notes.set(schema, (notes.get(schema) ?? new Set()).add(name));
}

/** The schemas directly within a schema; references are not followed. */
export function innerSchemas(schema: JsonSchema): JsonSchema[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const form = formOf(keyword);
    if (form === undefined || typeof value !== "object" || value === null) return [];
    const inner = form === "one" ? [value] : Object.values(value as object);
    return inner.filter((node) => typeof node === "object" && node !== null) as JsonSchema[];
  });
}
