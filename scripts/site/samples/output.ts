/** The line of a sample that prints what has arrived, but no field marked `x-sensitive`. */
import { type Place, propertiesOf, walkSchema } from "../../contract/model/index.ts";

/** As many fields tell enough. */
const mostFields = 3;

/**
 * The line that prints a value: the whole of it, or where a part is sensitive, some fields that are not.
 *
 * @param schemas what the value can be.
 * @param name the variable that holds it.
 */
export function printingLine(schemas: readonly Place[], name: string): string {
  const schema = schemas.find(isSensitive);
  if (schema === undefined) return `console.log(${name});`;
  const items = schema.target.own("items");
  const properties = [...propertiesOf(items.exists ? items : schema)];
  const fields = properties.flatMap(([field, property]) => (isSensitive(property) ? [] : [field])).slice(0, mostFields);
  if (fields.length === 0) {
    // Nothing in it may be shown: how long it is, or the names of its fields.
    const isLong = items.exists || properties.length === 0;
    return `console.log("Arrived:", ${isLong ? `${name}.length` : `Object.keys(${name}).join(", ")`});`;
  }
  if (items.exists) return `for (const { ${fields.join(", ")} } of ${name}) console.log(${fields.join(", ")});`;
  return `console.log(${fields.map((field) => `${name}.${field}`).join(", ")});`;
}

function isSensitive(schema: Place): boolean {
  let found = false;
  walkSchema(schema, (place) => {
    found ||= place.own("x-sensitive").value === true;
  });
  return found;
}
