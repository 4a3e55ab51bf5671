/** The printed result has no fields marked `x-sensitive`. */
import { propertiesOf, type SourceLocation, walkSchema } from "../../contract/model/index.ts";

const maxFields = 3;

export function printingLine(schemas: readonly SourceLocation[], name: string): string {
  const schema = schemas.find(isSensitive);
  if (schema === undefined) return `console.log(${name});`;
  const items = schema.target.child("items");
  const properties = [...propertiesOf(items.exists ? items : schema)];
  const fields = properties.flatMap(([field, property]) => (isSensitive(property) ? [] : [field])).slice(0, maxFields);
  if (fields.length === 0) {
    const hasLength = items.exists || properties.length === 0;
    return `console.log("Arrived:", ${hasLength ? `${name}.length` : `Object.keys(${name}).join(", ")`});`;
  }
  if (items.exists) return `for (const { ${fields.join(", ")} } of ${name}) console.log(${fields.join(", ")});`;
  return `console.log(${fields.map((field) => `${name}.${field}`).join(", ")});`;
}

function isSensitive(schema: SourceLocation): boolean {
  let isFound = false;
  walkSchema(schema, (location) => {
    isFound ||= location.child("x-sensitive").value === true;
  });
  return isFound;
}
