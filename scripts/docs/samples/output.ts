/** The lines of a sample that print what has arrived, but no field marked `x-sensitive`. */
import { type Place, propertiesOf, walkSchema } from "../../contract/index.ts";

/** As many fields tell enough. */
const mostFields = 3;

/**
 * Lines that print a value: the whole of it, or where a part is sensitive, some fields that are not.
 *
 * @param schemas what the value can be.
 * @param name the variable that holds it.
 */
export function printingLines(schemas: Place[], name: string): string[] {
  const schema = schemas.find(isSensitive);
  if (schema === undefined) return [`console.log(${name});`];
  const rows = itemsOf(schema);
  if (rows !== undefined) return rowLines(rows, name);
  const properties = propertiesOf(schema);
  const fields = plainFields(schema);
  if (fields.length > 0) return [`console.log(${fields.map((field) => `${name}.${field}`).join(", ")});`];
  for (const [field, property] of properties) {
    const inner = itemsOf(property);
    if (inner === undefined) continue;
    return rowLines(inner, isRequired(schema, field) ? `${name}.${field}` : `(${name}.${field} ?? [])`);
  }
  return [arrivedLine(properties.size === 0, name)];
}

/** Names the fields of an object, or says how long a text is. */
function arrivedLine(isText: boolean, name: string): string {
  return isText
    ? `console.log("Arrived:", ${name}.length, "characters");`
    : `console.log("Arrived:", Object.keys(${name}).join(", "));`;
}

function rowLines(rows: Place, list: string): string[] {
  const fields = plainFields(rows);
  if (fields.length === 0) return [`console.log("Arrived:", ${list}.length);`];
  const unwrapped = list.replace(/^\((.*)\)$/, "$1");
  return [`for (const { ${fields.join(", ")} } of ${unwrapped}) console.log(${fields.join(", ")});`];
}

/** Some fields that hold a single value and nothing sensitive: the first, those with known values such as a status, then the others. */
function plainFields(schema: Place): string[] {
  const [first, ...others] = [...propertiesOf(schema)].filter(
    ([, property]) => !isSensitive(property) && isSingle(property),
  );
  if (first === undefined) return [];
  const known = others.filter(([, property]) => hasKnownValues(property));
  const rest = others.filter((other) => !known.includes(other));
  return [first, ...known, ...rest].map(([field]) => field).slice(0, mostFields);
}

function hasKnownValues(schema: Place): boolean {
  return has(schema, (place) => ["enum", "x-open-enum"].some((keyword) => place.own(keyword).exists));
}

function isSensitive(schema: Place): boolean {
  return has(schema, (place) => place.own("x-sensitive").value === true);
}

function isSingle(schema: Place): boolean {
  return propertiesOf(schema).size === 0 && itemsOf(schema) === undefined;
}

/** The schema of the items, where the value is a list. */
function itemsOf(schema: Place): Place | undefined {
  const items = schema.target.own("items");
  return items.exists ? items : undefined;
}

function isRequired(schema: Place, field: string): boolean {
  const names = (place: Place) => place.own("required").items();
  return has(schema, (place, path) => path.length === 0 && names(place).some(({ value }) => value === field));
}

/** Whether something holds of the schema or one below it. */
function has(schema: Place, holds: (place: Place, path: string[]) => boolean): boolean {
  let found = false;
  walkSchema(schema, (place, { path }) => {
    found ||= holds(place, path);
  });
  return found;
}
