import type { Operation } from "../../contract/model/index.ts";
import type { EditableField } from "../samples/index.ts";
import { type Field, shapeOf } from "./field-data.ts";

/** A list of more known values would make the page larger than the editor is worth. */
const maxValues = 40;

/** The parameters and the members of a JSON body, without those of lists and of alternative forms. */
export function editableFields({ parameters, requestBody }: Operation): EditableField[] {
  const named = parameters.flatMap(({ name, in: place, required, schema, effective }) => {
    if (place !== "path" && place !== "query") return [];
    return [editable({ ...shapeOf(schema, "", effective), name, id: "", isRequired: required }, place, name)];
  });
  const body = requestBody?.bodies.find(({ mediaType }) => mediaType === "application/json");
  return [...named, ...(body === undefined ? [] : membersOf(shapeOf(body.schema, "", "specification").fields, ""))];
}

function membersOf(fields: readonly Field[], before: string): EditableField[] {
  return fields.flatMap((field) => {
    const name = before + field.name;
    // A name with a dot could not be told from a member of an object.
    if (field.name.includes(".")) return [];
    return field.type === "object" ? membersOf(field.fields, `${name}.`) : [editable(field, "body", name)];
  });
}

function editable(
  { type, isRequired, values, pattern }: Field,
  place: EditableField["place"],
  name: string,
): EditableField {
  const known = values.map(({ value }) => value);
  return {
    ...{ place, name, type },
    ...(isRequired && { isRequired }),
    ...(known.length > 0 && known.length <= maxValues && { values: known }),
    ...(pattern !== undefined && { pattern }),
  };
}
