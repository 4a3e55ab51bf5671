/** The parts that a schema is put together from: references, `allOf`, and the one alternative beside null. */
import { type JsonSchema, markOn, type Place, type Provenance, weakest } from "../../contract/index.ts";

/** A schema object that says something of a value, with its effective provenance. */
export interface Layer {
  place: Place;
  schema: JsonSchema;
  provenance: Provenance;
}

/**
 * Everything that describes the value of a schema, the nearest first: the schema, what it refers to, the branches of its
 * `allOf`, and the only branch of a `oneOf` or `anyOf` that is not null.
 *
 * @param enclosing the effective provenance of what encloses the schema.
 */
export function layersOf(place: Place, enclosing: Provenance, above: ReadonlySet<string> = new Set()): Layer[] {
  const { value, target } = place;
  if (typeof value !== "object" || value === null || above.has(place.id)) return [];
  const provenance = weakest(enclosing, markOn(place));
  const within = new Set(above).add(place.id);
  const below = [target, ...place.own("allOf").items(), ...onlyChoice(place)];
  const others = below.filter(({ id }) => id !== place.id);
  return [
    { place, schema: value as JsonSchema, provenance },
    ...others.flatMap((other) => layersOf(other, provenance, within)),
  ];
}

/** The effective provenance of a value as a whole: as its layers have it, without those of `allOf`, which add parts. */
export function provenanceOf(place: Place, enclosing: Provenance, above: ReadonlySet<string> = new Set()): Provenance {
  if (above.has(place.id)) return enclosing;
  const within = new Set(above).add(place.id);
  return [place.target, ...onlyChoice(place)].reduce(
    (provenance, next) => provenanceOf(next, provenance, within),
    weakest(enclosing, markOn(place)),
  );
}

/** The alternatives of a schema, without null. */
export function choicesOf(place: Place, keyword: "oneOf" | "anyOf"): Place[] {
  return place
    .own(keyword)
    .items()
    .filter((branch) => !isNull(branch));
}

/** Whether null is one of the alternatives of a schema. */
export function hasNull(place: Place): boolean {
  return (["oneOf", "anyOf"] as const).some((keyword) => place.own(keyword).items().some(isNull));
}

function onlyChoice(place: Place): Place[] {
  return (["oneOf", "anyOf"] as const).flatMap((keyword) => {
    const choices = choicesOf(place, keyword);
    return choices.length === 1 ? choices : [];
  });
}

function isNull({ value }: Place): boolean {
  return (value as JsonSchema | undefined)?.type === "null";
}
