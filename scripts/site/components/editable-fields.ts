import type { Operation } from "../../contract/model/index.ts";
import type { EditableField } from "../samples/index.ts";
import { type Field, shapeOf } from "./field-data.ts";

/** Longer lists of known values are left out, because they would make the page too large. */
const maxValues = 40;

/** Leaves out the members of list items and of alternatives. */
export function editableFields({ parameters, requestBody }: Operation): EditableField[] {
  const parameterFields = parameters.flatMap(({ name, in: place, required, schema, effectiveProvenance }) => {
    if (place !== "path" && place !== "query") return [];
    return [
      editableField({ ...shapeOf(schema, "", effectiveProvenance), name, id: "", isRequired: required }, place, name),
    ];
  });
  const body = requestBody?.bodies.find(({ mediaType }) => mediaType === "application/json");
  return [
    ...parameterFields,
    ...(body === undefined ? [] : membersOf(shapeOf(body.schema, "", "specification").fields, "")),
  ];
}

function membersOf(fields: readonly Field[], prefix: string): EditableField[] {
  return fields.flatMap((field) => {
    const name = prefix + field.name;
    // Fields with a dot in their name are left out, because a dot separates the names of nested members.
    if (field.name.includes(".")) return [];
    return field.type === "object" ? membersOf(field.fields, `${name}.`) : [editableField(field, "body", name)];
  });
}

function editableField(
  { type, jsonTypes, format, isRequired, values, pattern }: Field,
  place: EditableField["place"],
  name: string,
): EditableField {
  const knownValues = values.map(({ value }) => value);
  return {
    place,
    name,
    type,
    jsonTypes,
    ...(format !== undefined && { format }),
    ...(isRequired && { isRequired }),
    ...(knownValues.length > 0 && knownValues.length <= maxValues && { values: knownValues }),
    ...(pattern !== undefined && { pattern }),
  };
}
