/** Describes the fields of control operations, for the help of commands and for the page. */
import type { PlanField } from "../plan/plan.ts";

export interface FieldSchema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly FieldSchema[];
  readonly allOf?: readonly FieldSchema[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly additionalProperties?: FieldSchema | boolean;
  readonly required?: readonly string[];
}

const typeTexts: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list in JSON",
  object: "an object in JSON, or its members",
  null: "null",
};

function typesAndValues(schema: FieldSchema): { types: string[]; values: string[] } {
  const parts = [schema, ...(schema.anyOf ?? [])];
  const types = parts.flatMap(({ type = [] }) => type);
  const values = parts.flatMap((part) => [...(part.enum ?? []), ...("const" in part ? [part.const] : [])]);
  const booleanValues = types.includes("boolean") ? ["true", "false"] : [];
  return { types, values: [...values.map(String), ...booleanValues] };
}

export function fieldOf(
  name: string,
  location: PlanField["in"],
  schema: FieldSchema,
  { isRequired, description = "", example }: { isRequired: boolean; description?: string; example?: unknown },
): PlanField {
  const { types, values } = typesAndValues(schema);
  const form =
    schema.title ??
    [...values, ...types.filter((type) => type !== "boolean").map((type) => typeTexts[type])].join(" or ");
  // The values are listed only if the schema accepts no other value.
  const isClosed = types.every((type) => type === "boolean" || schema.enum !== undefined) && schema.anyOf === undefined;
  return {
    name,
    in: location,
    isRequired,
    form,
    description: schema.description ?? description,
    ...(example === undefined ? {} : { example: String(example) }),
    values: isClosed ? values : [],
    ...(types.length + values.length === 0 ? {} : { isText: types.includes("string") || schema.enum !== undefined }),
  };
}

export function bodyFields(schema: FieldSchema, path: readonly string[] = [], isRequired = true): PlanField[] {
  const parts = [schema, ...(schema.allOf ?? [])];
  const members = Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<string, FieldSchema>;
  const requiredNames = parts.flatMap((part) => part.required ?? []);
  const { additionalProperties: additionalSchema } = schema;
  const children = Object.entries(members).map(
    ([name, member]) => [name, member, requiredNames.includes(name)] as const,
  );
  if (typeof additionalSchema === "object") children.push(["<name>", additionalSchema, false]);
  if (children.length === 0 && schema.type === "object") children.push(["<name>", {}, false]);
  if (children.length === 0 && path.length > 0) {
    return [fieldOf(path.join("."), "body", schema, { isRequired })];
  }
  return children.flatMap(([name, member, isNeeded]) => {
    // The description of a map applies to its members without a description.
    const description = member.description ?? (name === "<name>" ? (schema.description ?? "") : "");
    return bodyFields({ ...member, description }, [...path, name], isRequired && isNeeded);
  });
}
