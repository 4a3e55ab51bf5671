/** What a reader has to know of each field of a body, from its schema. */
import { type JsonSchema, type Place, type Provenance, provenances, weakest } from "../../contract/index.ts";
import { choicesOf, hasNull, type Layer, layersOf, provenanceOf } from "./field-layers.ts";
import { isAlternativeOfFields, type Rule, rulesOf } from "./field-rules.ts";
import { type Fact, factsOf, listWords, typeWords } from "./field-words.ts";

/** A known value of a set that can grow. */
export interface KnownValue {
  value: string;
  meaning: string;
  provenance: Provenance | undefined;
}

/** What a schema says of a value. */
export interface Shape {
  /** In words. */
  type: string;
  description: string;
  /** Effective. */
  provenance: Provenance;
  /** What the items of an array of objects, or the values of a map of them, are. */
  innerDescription: string;
  facts: Fact[];
  values: KnownValue[];
  /** The name of the schema that has the known values, which says whose lifecycle they are. */
  valuesOf: string;
  example: unknown;
  isSensitive: boolean;
  questions: string[];
  /** What several fields have to fulfil together. */
  rules: Rule[];
  /** Those of an object, of the items of an array, or of the values of a map. */
  fields: Field[];
  /** Objects of which the value is one, each with fields of its own. */
  choices: { title: string; shape: Shape }[];
}

export interface Field extends Shape {
  name: string;
  /** The anchor: `request-amount`, `response-201-transferId`. */
  id: string;
  isRequired: boolean;
  /** Where it comes from that the field is required, if that is weaker than what encloses the field. */
  requiredMark: Provenance | undefined;
  /** Its effective provenance, if that is weaker than what the fields are compared with. */
  mark: Provenance | undefined;
}

/** Where a part of a schema stands. */
interface Context {
  /** What a part without a mark is as sure as: the operation, or the webhook. */
  than: Provenance;
  id: string;
  /** The ids of the schemas around it. */
  above: ReadonlySet<string>;
}

/**
 * Describes a schema with all of its fields. A schema within itself is described without its fields.
 *
 * @param id the first part of the anchors of its fields: `request`.
 * @param enclosing the effective provenance of what encloses the schema.
 * @param than what a field without a mark is as sure as; by default, what encloses the schema.
 */
export function shapeOf(schema: Place, id: string, enclosing: Provenance, than: Provenance = enclosing): Shape {
  const provenance = provenanceOf(schema, enclosing);
  return describe(layersOf(schema, enclosing), provenance, { than, id, above: new Set() });
}

function describe(layers: Layer[], provenance: Provenance, context: Context): Shape {
  const schemas = layers.map(({ schema }) => schema);
  const isWithinItself = layers.some(({ place }) => context.above.has(place.id));
  const within = { ...context, above: new Set([...context.above, ...layers.map(({ place }) => place.id)]) };
  const choices = layers.flatMap(({ place, provenance: own }) => choicesIn(place, own, within));
  const inner = isWithinItself ? [] : partsOf(layers);
  const content = inner.map((part) => {
    return describe(layersOf(part.place, part.enclosing), provenanceOf(part.place, part.enclosing), within);
  });
  const simple = choices.filter(isSimple);
  const inside = [...content, ...simple.map(({ shape }) => shape)];
  const known = layers.find(({ schema }) => schema["x-open-enum"] !== undefined);
  const facts = [...schemas.flatMap(factsOf), ...content.flatMap((shape) => shape.facts.map(ofEach))];
  return {
    type: typeOf(layers, simple, content),
    description: schemas.find(({ description = "" }) => description !== "")?.description ?? "",
    provenance: weakest(provenance, ...content.map((shape) => shape.provenance)),
    facts: distinct([...facts, ...simple.flatMap(factsOfChoice)]),
    innerDescription: content.find((shape) => shape.description !== "" && shape.fields.length > 0)?.description ?? "",
    values: distinct([...knownValues(known, provenance), ...inside.flatMap(({ values }) => values)]),
    valuesOf: known?.place.name ?? inside.find(({ valuesOf }) => valuesOf !== "")?.valuesOf ?? "",
    example: schemas.flatMap(({ examples = [] }) => examples)[0],
    isSensitive: schemas.some((schema) => schema["x-sensitive"] === true) || inside.some((shape) => shape.isSensitive),
    questions: distinct([
      ...schemas.flatMap((schema) => schema["x-open-questions"] ?? []),
      ...inside.flatMap(({ questions }) => questions),
    ]),
    rules: [...layers.flatMap(({ place }) => rulesOf(place)), ...content.flatMap(({ rules }) => rules)],
    fields: isWithinItself ? [] : [...fieldsIn(layers, provenance, within), ...content.flatMap(({ fields }) => fields)],
    choices: [...choices.filter((choice) => !isSimple(choice)), ...content.flatMap((shape) => shape.choices)],
  };
}

/** The fields that the layers of an object describe, in the order of the contract. */
function fieldsIn(layers: Layer[], enclosing: Provenance, context: Context): Field[] {
  const { id, than } = context;
  const found = new Map<string, { own: Layer[]; provenance: Provenance }>();
  for (const { place, provenance } of layers) {
    for (const [name, property] of place.own("properties").entries()) {
      const { own = [], provenance: first } = found.get(name) ?? {};
      const all = [...own, ...layersOf(property, provenance)];
      found.set(name, { own: all, provenance: first ?? provenanceOf(property, provenance) });
    }
  }
  return [...found].map(([name, { own, provenance }]) => {
    const anchor = `${id}-${name.replace(/[^A-Za-z0-9_.-]+/g, "-")}`;
    const required = layers.filter(({ schema }) => schema.required?.includes(name));
    const marks = required.map((layer) => layer.provenance);
    const surest = provenances.find((provenance) => marks.includes(provenance));
    const shape = describe(own, provenance, { ...context, id: anchor });
    return {
      ...shape,
      name,
      id: anchor,
      isRequired: required.length > 0,
      requiredMark: weaker(surest, weakest(enclosing, shape.provenance)),
      mark: weaker(shape.provenance, than),
    };
  });
}

/** A provenance where it is weaker than another one. */
function weaker(provenance: Provenance | undefined, than: Provenance): Provenance | undefined {
  return provenance !== undefined && weakest(than, provenance) !== than ? provenance : undefined;
}

/** The schemas of the items of an array, or of the values of a map. */
function partsOf(layers: Layer[]): { place: Place; enclosing: Provenance }[] {
  return layers.flatMap(({ place, provenance }) =>
    ["items", "additionalProperties"].flatMap((keyword) => {
      const part = place.own(keyword);
      return isSchemaObject(part) ? [{ place: part, enclosing: provenance }] : [];
    }),
  );
}

interface Choice {
  title: string;
  shape: Shape;
}

function choicesIn(place: Place, provenance: Provenance, context: Context): Choice[] {
  return (["oneOf", "anyOf"] as const).flatMap((keyword) => {
    const choices = choicesOf(place, keyword);
    if (choices.length < 2 || isAlternativeOfFields(choices)) return [];
    return choices.map((choice, index) => {
      const layers = layersOf(choice, provenance);
      const title = layers.find(({ schema }) => schema.title !== undefined)?.schema.title ?? `Form ${index + 1}`;
      const own = provenanceOf(choice, provenance);
      return { title, shape: describe(layers, own, { ...context, id: `${context.id}-${index + 1}` }) };
    });
  });
}

function isSimple({ shape }: Choice): boolean {
  return shape.fields.length === 0;
}

function typeOf(layers: Layer[], choices: Choice[], content: Shape[]): string {
  const schemas = layers.map(({ schema }) => schema);
  const [stated = []] = schemas.map(typeWords).filter((types) => types.length > 0);
  const types = stated.length > 0 ? stated : choices.map(({ shape }) => shape.type);
  const words = types.length > 0 ? types : guessed(schemas);
  const isNullable = layers.some(({ place, schema }) => hasNull(place) || [schema.type].flat().includes("null"));
  const named = words.map((type) => {
    const [part] = content;
    if (part === undefined) return type;
    if (type === "array") return `array of ${plural(part.type)}`;
    return type === "object" && schemas.some((schema) => schema.additionalProperties)
      ? `object of ${plural(part.type)} by key`
      : type;
  });
  return listWords([...new Set([...named, ...(isNullable ? ["null"] : [])])], "or");
}

/** The type of a schema that does not name it, by its keywords. */
function guessed(schemas: JsonSchema[]): string[] {
  const values = schemas.flatMap(({ enum: some = [], const: one }) => (one === undefined ? some : [one]));
  if (values.length > 0) return [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
  if (schemas.some(({ properties }) => properties !== undefined)) return ["object"];
  return schemas.some(({ items }) => items !== undefined) ? ["array"] : ["any value"];
}

function plural(type: string): string {
  return /^[a-z]+$/.test(type) ? `${type}s` : type.replace(/^(string|array)\b/, "$1s");
}

function knownValues(layer: Layer | undefined, enclosing: Provenance): KnownValue[] {
  return Object.entries(layer?.schema["x-open-enum"] ?? {}).map(([value, { meaning, provenance }]) => {
    return { value, meaning, provenance: weaker(provenance, enclosing) };
  });
}

function ofEach({ words, values }: Fact): Fact {
  return { words: words.startsWith("each ") ? words : `each ${words}`, values };
}

/** The facts of one of several simple forms, each with the form. */
function factsOfChoice({ shape: { type, facts } }: Choice): Fact[] {
  return facts.map(({ words, values }) => ({ words: `as ${type}: ${words}`, values }));
}

function distinct<Value>(values: Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function isSchemaObject({ value }: Place): boolean {
  return typeof value === "object" && value !== null;
}
