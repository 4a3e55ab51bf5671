import { branchesOf, type JsonSchema, type SourceLocation, schemasOfValue } from "../../../contract/model/index.ts";

/** The alternatives of the schema's own `anyOf` and of its own `oneOf`. */
export function choicesOf(schema: SourceLocation): SourceLocation[][] {
  return [branchesOf(schema, "anyOf"), branchesOf(schema, "oneOf")].filter(({ length }) => length > 0);
}

/** The alternatives of each `anyOf` and `oneOf` that a value must match. */
export function choicesOfValue(schema: SourceLocation): SourceLocation[][] {
  return schemasOfValue(schema, "allOf").flatMap(choicesOf);
}

/**
 * The JSON types that a schema allows; undefined if it allows all. Like `typeof`, with which the client compares them, except that null is
 * `null`.
 */
export function typesOf(schema: SourceLocation | undefined): string[] | undefined {
  if (schema === undefined) return undefined;
  const ownTypes = schemasOfValue(schema, "allOf").flatMap(({ value }) => {
    const { type, enum: values, const: onlyValue } = (value ?? {}) as JsonSchema;
    const listedValues = values ?? (onlyValue === undefined ? undefined : [onlyValue]);
    return [
      type === undefined ? type : [type].flat().map(toTypeof),
      listedValues?.map((item) => (item === null ? "null" : typeof item)),
    ];
  });
  const choiceTypes = choicesOfValue(schema).map((choice) => {
    const types = choice.map(typesOf);
    return types.includes(undefined) ? undefined : types.flatMap((alternative) => alternative ?? []);
  });
  const [types, ...otherTypes] = [...ownTypes, ...choiceTypes].filter((allowedTypes) => allowedTypes !== undefined);
  return types?.filter((type) => otherTypes.every((allowedTypes) => allowedTypes.includes(type)));
}

function toTypeof(type: string): string {
  return type === "integer" ? "number" : type === "array" ? "object" : type;
}
