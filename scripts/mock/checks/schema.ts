import type { Plan, PlanControl, SchemaError } from "../plan/plan.ts";
import { ControlError } from "./error.ts";
import { assertBoolean, type Fields, readObject, unknownMemberMessage } from "./fields.ts";

export function validateQuery({ control }: Pick<Plan, "control">, operationId: string, values: Fields): void {
  const parameters = control.find((operation) => operation.operationId === operationId)?.query ?? {};
  readObject(values, "The query", Object.keys(parameters));
  for (const [name, { type, minimum = 0 }] of Object.entries(parameters)) {
    const value = values[name];
    if (value === undefined) continue;
    if (type === "boolean") assertBoolean(value, name);
    else if (!Number.isSafeInteger(value) || Number(value) < minimum)
      throw new ControlError(`${name} must be a whole number from ${minimum}.`);
  }
}

export function validateInput(plan: Pick<Plan, "control">, operationId: string, value: unknown, name: string): void {
  const body = plan.control.find((operation) => operation.operationId === operationId)?.body;
  if (body === undefined || (value === undefined && !body.isRequired) || body.validator(value)) return;
  const { errors } = body.validator;
  // When a subschema fails, Ajv also reports all members as unevaluated. These errors are used only if there are no others,
  // because they would hide the cause.
  const relevantErrors = errors?.filter(({ keyword }) => keyword !== "unevaluatedProperties") ?? [];
  const firstErrors = ["additionalProperties", "anyOf"].map((keyword) =>
    relevantErrors.find((error) => error.keyword === keyword),
  );
  const reportedError = firstErrors[0] ?? firstErrors[1] ?? relevantErrors[0] ?? errors?.[0];
  throw new ControlError(
    reportedError === undefined
      ? `${name} is not possible.`
      : describeError(reportedError, schemaAt(body, reportedError), name),
  );
}

type Schema = Readonly<Record<string, unknown>>;

function schemaAt({ schema }: NonNullable<PlanControl["body"]>, { schemaPath = "" }: SchemaError): Schema {
  const names = schemaPath.split("/").slice(1, -1);
  return names.reduce((node, name) => (node as Readonly<Record<string, Schema>>)[name] ?? {}, schema as Schema);
}

function describeError(error: SchemaError, schema: Schema, name: string): string {
  const { instancePath, keyword, params } = error;
  const path = instancePath === "" ? name : instancePath.slice(1).replaceAll("/", ".");
  const parts = [schema, ...((schema.allOf as Schema[] | undefined) ?? [])];
  const names = parts.flatMap(({ properties }) => Object.keys(properties ?? {}));
  const members = names.join(", ");
  const unknownMember = params.additionalProperty ?? params.unevaluatedProperty;
  if (unknownMember !== undefined) return unknownMemberMessage(path, unknownMember, names);
  if (keyword === "required")
    return `${[...instancePath.split("/").slice(1), params.missingProperty].join(".")} must be given.`;
  if (keyword === "minProperties" || keyword === "maxProperties") return `Give one of ${members}.`;
  return `${path} must be ${describeExpected(error, schema, members)}.`;
}

function describeExpected(
  error: SchemaError,
  { title, type, const: constant, anyOf, enum: values }: Schema,
  members: string,
): string {
  const { message = "" } = error;
  if (title !== undefined) return String(title);
  if (constant !== undefined) return JSON.stringify(constant);
  if (anyOf !== undefined) return (anyOf as Schema[]).map((branch) => describeExpected(error, branch, "")).join(" or ");
  if (values !== undefined) return `one of ${(values as unknown[]).join(", ")}`;
  const textByType: Readonly<Record<string, string>> = {
    object: members === "" ? "an object" : `an object with ${members}`,
    array: "a list",
    string: "a text that is not empty",
    boolean: "true or false",
    integer: "a whole number",
    number: "a number",
  };
  const typeTexts = [type ?? []].flat().flatMap((name) => textByType[String(name)] ?? []);
  return typeTexts.length > 0 ? typeTexts.join(" or ") : message.replace(/^must (be )?/, "");
}
