import {
  type JsonSchema,
  type Provenance,
  type SourceLocation,
  walkSchema,
  weakestProvenance,
} from "../../contract/model/index.ts";
import { listWords } from "../text/words.ts";
import { choicesOf, factsOf, isAlternativeOfFields, isNull, rulesOf, typeWords } from "./field-words.ts";

interface KnownValue {
  value: string;
  meaning: string;
  provenance: Provenance;
}

export interface Shape {
  /** The type in words, such as `string (date) or null`. */
  type: string;
  /** The accepted types of JSON Schema; empty if any type is accepted. */
  jsonTypes: string[];
  format: string | undefined;
  description: string;
  /** The weakest provenance of the schema, the schemas that enclose it, and its items or map values. */
  provenance: Provenance;
  innerDescription: string;
  facts: string[];
  values: KnownValue[];
  /** The name of the schema that lists the known values. */
  valuesSchemaName: string | undefined;
  example: unknown;
  /** The regular expression that a string value must match. */
  pattern: string | undefined;
  isSensitive: boolean;
  /** Constraints that concern several fields, as Markdown. */
  rules: string[];
  /** Fields of the object, of the array's items, or of the map's values. */
  fields: Field[];
  choices: { title: string; shape: Shape }[];
}

export interface Field extends Shape {
  name: string;
  /** The HTML anchor: `request-amount`, `response-201-transferId`. */
  id: string;
  isRequired: boolean;
}

interface Layer {
  location: SourceLocation;
  schema: JsonSchema;
  provenance: Provenance;
}

/** `id` is the prefix of the fields' anchors. `ancestorIds` has the ids of the enclosing schemas, to detect recursion. */
interface Context {
  id: string;
  ancestorIds: ReadonlySet<string>;
}

/** The shape of a schema, for its documentation. Where the schema contains itself, the inner occurrence has no fields and no choices. */
export function shapeOf(schema: SourceLocation, id: string, enclosingProvenance: Provenance): Shape {
  return describe(layersOf(schema, enclosingProvenance), { id, ancestorIds: new Set() });
}

/**
 * The schema, the schemas that it references, the branches of its `allOf`, and the branch of a `oneOf` or `anyOf` that has only one
 * branch besides null.
 */
function layersOf(schema: SourceLocation, enclosingProvenance: Provenance): Layer[] {
  const layers: Layer[] = [];
  const isOnlyChoice = (location: SourceLocation, keyword: string, holder: SourceLocation) => {
    const choices = keyword === "oneOf" || keyword === "anyOf" ? choicesOf(holder, keyword) : [];
    return choices.length === 1 && choices[0]?.id === location.id;
  };
  walkSchema(
    schema,
    (location, { keyword, ancestors, provenance }) => {
      const isLayer =
        keyword === undefined ||
        keyword === "allOf" ||
        isOnlyChoice(location, keyword, ancestors.at(-1) as SourceLocation);
      if (isLayer) layers.push({ location, schema: location.value as JsonSchema, provenance });
      return isLayer ? undefined : false;
    },
    { enclosingProvenance },
  );
  return layers;
}

interface Sources {
  layers: readonly Layer[];
  /** The shapes of the items of an array, or of the values of a map. */
  parts: readonly Shape[];
  /** The shapes of the choices (branches of a `oneOf` or `anyOf`) that have no fields. */
  simpleShapes: readonly Shape[];
}

function describe(layers: Layer[], { id, ancestorIds }: Context): Shape {
  const innerContext = { id, ancestorIds: new Set([...ancestorIds, ...layers.map(({ location }) => location.id)]) };
  const openLayers = layers.some(({ location }) => ancestorIds.has(location.id)) ? [] : layers;
  const choices = openLayers.flatMap((layer) => choicesIn(layer, innerContext));
  const simpleShapes = choices.filter(isSimple).map(({ shape }) => shape);
  const parts = openLayers.flatMap((layer) => partsIn(layer, innerContext));
  const sources = { layers, parts, simpleShapes };
  return {
    type: typeOf(layers, simpleShapes, parts[0]),
    jsonTypes: jsonTypesOf(sources),
    format: formatOf(sources),
    description: layers.find(({ schema }) => schema.description)?.schema.description ?? "",
    provenance: weakestProvenance("specification", ...[...layers, ...parts].map(({ provenance }) => provenance)),
    innerDescription: parts.find((part) => part.fields.length > 0)?.description ?? "",
    facts: allFactsOf(sources),
    ...valuesOf(sources),
    pattern: patternOf(sources),
    example: layers.flatMap(({ schema }) => schema.examples ?? [])[0],
    isSensitive: isAnySensitive(sources),
    rules: [...layers.flatMap(({ location }) => rulesOf(location)), ...parts.flatMap(({ rules }) => rules)],
    fields: [...fieldsIn(openLayers, innerContext), ...parts.flatMap(({ fields }) => fields)],
    choices: [...choices.filter((choice) => !isSimple(choice)), ...parts.flatMap((part) => part.choices)],
  };
}

function partsIn({ location, provenance }: Layer, context: Context): Shape[] {
  return ["items", "additionalProperties"]
    .map((keyword) => location.child(keyword))
    .filter(({ value }) => typeof value === "object")
    .map((part) => describe(layersOf(part, provenance), context));
}

function allFactsOf({ layers, parts, simpleShapes }: Sources): string[] {
  const factsOfPart = ({ facts }: Shape) => facts.map((fact) => (fact.startsWith("each ") ? fact : `each ${fact}`));
  const factsOfChoice = ({ type, facts }: Shape) => facts.map((fact) => `as ${type}: ${fact}`);
  return distinctValues([
    ...layers.flatMap(({ schema }) => factsOf(schema)),
    ...parts.flatMap(factsOfPart),
    ...simpleShapes.flatMap(factsOfChoice),
  ]);
}

function valuesOf({ layers, parts, simpleShapes }: Sources): Pick<Shape, "values" | "valuesSchemaName"> {
  const enumLayer = layers.find(({ schema }) => schema["x-open-enum"] !== undefined);
  const innerShapes = [...parts, ...simpleShapes];
  return {
    values: distinctValues([...knownValuesOf(enumLayer), ...innerShapes.flatMap(({ values }) => values)]),
    valuesSchemaName:
      enumLayer?.location.name ??
      innerShapes.find(({ valuesSchemaName }) => valuesSchemaName !== undefined)?.valuesSchemaName,
  };
}

function patternOf({ layers, simpleShapes }: Sources): string | undefined {
  const ownPattern = layers.find(({ schema }) => schema.pattern !== undefined)?.schema.pattern;
  return ownPattern ?? simpleShapes.find(({ pattern }) => pattern)?.pattern;
}

function isAnySensitive({ layers, parts, simpleShapes }: Sources): boolean {
  return (
    layers.some(({ schema }) => schema["x-sensitive"]) ||
    [...parts, ...simpleShapes].some(({ isSensitive }) => isSensitive)
  );
}

function fieldsIn(layers: Layer[], context: Context): Field[] {
  const layersByName = new Map<string, Layer[]>();
  for (const { location, provenance } of layers) {
    for (const [name, property] of location.child("properties").entries()) {
      layersByName.set(name, [...(layersByName.get(name) ?? []), ...layersOf(property, provenance)]);
    }
  }
  const requiredNames = layers.flatMap(({ schema }) => schema.required ?? []);
  return [...layersByName].map(([name, ownLayers]) => {
    const id = `${context.id}-${anchorOf(name)}`;
    return { ...describe(ownLayers, { ...context, id }), name, id, isRequired: requiredNames.includes(name) };
  });
}

export function anchorOf(name: string): string {
  return name.replace(/[^A-Za-z0-9_.-]+/g, "-");
}

type Choice = Shape["choices"][number];

function choicesIn({ location, provenance }: Layer, context: Context): Choice[] {
  return (["oneOf", "anyOf"] as const).flatMap((keyword) => {
    const choices = choicesOf(location, keyword);
    if (choices.length < 2 || isAlternativeOfFields(choices)) return [];
    return choices.map((choice, index) => {
      const layers = layersOf(choice, provenance);
      const title = layers.find(({ schema }) => schema.title !== undefined)?.schema.title ?? `Form ${index + 1}`;
      return { title, shape: describe(layers, { ...context, id: `${context.id}-${index + 1}` }) };
    });
  });
}

function isSimple({ shape }: Choice): boolean {
  return shape.fields.length === 0;
}

/** @param part the shape of the items of an array, or of the values of a map. */
function typeOf(layers: Layer[], choices: Shape[], part: Shape | undefined): string {
  const statedTypes = layers.map(({ schema }) => typeWords(schema)).find((types) => types.length > 0);
  const words = statedTypes ?? (choices.length > 0 ? choices.map(({ type }) => type) : ["any value"]);
  const isMap = layers.some(({ schema }) => schema.additionalProperties);
  const typeNames = words.map((type) => {
    if (part === undefined) return type;
    if (type === "array") return `array of ${toPlural(part.type)}`;
    return type === "object" && isMap ? `object of ${toPlural(part.type)} by key` : type;
  });
  return listWords([...new Set([...typeNames, ...(layers.some(acceptsNull) ? ["null"] : [])])], "or");
}

function acceptsNull({ location, schema }: Layer): boolean {
  const hasNullBranch = ["oneOf", "anyOf"].some((keyword) => location.child(keyword).items().some(isNull));
  return hasNullBranch || [schema.type].flat().includes("null");
}

function jsonTypesOf({ layers, simpleShapes }: Sources): string[] {
  const statedTypes = layers.find(({ schema }) => schema.type !== undefined)?.schema.type;
  const types = statedTypes === undefined ? simpleShapes.flatMap((shape) => shape.jsonTypes) : [statedTypes].flat();
  return distinctValues([...types, ...(layers.some(acceptsNull) ? ["null"] : [])]);
}

function formatOf({ layers, simpleShapes }: Sources): string | undefined {
  const ownFormat = layers.find(({ schema }) => schema.format !== undefined)?.schema.format;
  return ownFormat ?? simpleShapes.find(({ format }) => format !== undefined)?.format;
}

function toPlural(type: string): string {
  return /^[a-z]+$/.test(type) ? `${type}s` : type.replace(/^(string|array)\b/, "$1s");
}

function knownValuesOf(layer: Layer | undefined): KnownValue[] {
  return Object.entries(layer?.schema["x-open-enum"] ?? {}).map(([value, { meaning, provenance }]) => {
    return { value, meaning, provenance: weakestProvenance(layer?.provenance ?? "specification", provenance) };
  });
}

function distinctValues<Value>(values: Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
