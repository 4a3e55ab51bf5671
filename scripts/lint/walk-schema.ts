/** Goes through schemas and everything they refer to. */
import type { Place } from "./place.ts";

/** Keywords whose schemas judge the same value as the schema that they stand in. */
const sameValue = { lists: ["allOf", "anyOf", "oneOf"], maps: ["dependentSchemas"], single: ["then", "else"] } as const;

/** Keywords whose schemas judge a part of the value. */
const partOfValue = {
  lists: ["prefixItems"],
  maps: ["properties", "patternProperties"],
  single: ["items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties", "propertyNames"],
} as const;

/**
 * Visits schemas and the schemas below them, each once under each property, references followed. Conditions (`if`,
 * `not`, `contains`) are left out: they tell cases apart and forbid nothing by themselves.
 *
 * @param visit gets the schema and the property whose value it describes, undefined for the whole value and for items.
 */
export function walkSchemas(schemas: Place[], visit: (schema: Place, property: string | undefined) => void): void {
  const seen = new Set<string>();
  const walk = (place: Place, property: string | undefined): void => {
    const id = `${place.id} ${property}`;
    if (seen.has(id) || typeof place.value !== "object") return;
    seen.add(id);
    visit(place, property);
    if (place.target.id !== place.id) walk(place.target, property);
    for (const branch of branchesOf(place)) walk(branch, property);
    for (const [name, part] of partsOf(place)) walk(part, name);
  };
  for (const schema of schemas) walk(schema, undefined);
}

/** The schemas that judge the same value, those behind a reference left out. */
export function branchesOf(schema: Place): Place[] {
  return [
    ...sameValue.lists.flatMap((keyword) => schema.own(keyword).items()),
    ...sameValue.maps.flatMap((keyword) =>
      schema
        .own(keyword)
        .entries()
        .map(([, branch]) => branch),
    ),
    ...sameValue.single.map((keyword) => schema.own(keyword)).filter((branch) => branch.exists),
  ];
}

function partsOf(schema: Place): [string | undefined, Place][] {
  return [
    ...partOfValue.lists.flatMap((keyword) => schema.own(keyword).items().map(unnamed)),
    ...partOfValue.maps.flatMap((keyword) => schema.own(keyword).entries()),
    ...partOfValue.single.map((keyword) => unnamed(schema.own(keyword))).filter(([, part]) => part.exists),
  ];
}

function unnamed(place: Place): [undefined, Place] {
  return [undefined, place];
}

/** Whether a schema refuses any text that is not empty, as parameters are. */
export function canRefuse(schema: Place): boolean {
  let refuses = false;
  walkSchemas([schema], ({ value }) => {
    refuses ||= Object.entries(value as object).some(([keyword, limit]) => {
      if (keyword === "type") return ![limit].flat().includes("string");
      if (keyword === "minLength") return limit > 1;
      return ["pattern", "format", "enum", "const", "maxLength", "not"].includes(keyword);
    });
  });
  return refuses;
}
