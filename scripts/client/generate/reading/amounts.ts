/** The amounts of requests, whose schemas have `x-compared-as: amount`: the runtime refuses malformed ones, zero and negative ones. */
import {
  bodySchemasOf,
  type Contract,
  type JsonSchema,
  type Operation,
  propertiesOf,
  requestSchemasOf,
  type SourceLocation,
  schemasOfValue,
  subschemasOf,
  walkSchema,
} from "../../../contract/model/index.ts";
import { typesOf } from "./json-types.ts";
import { demand } from "./refusal.ts";

const typesByJsonType: Readonly<Record<string, string>> = { string: "DecimalInput", number: "number" };

/** Whether a value of the schema can be an amount. */
export function isAmount(schema: SourceLocation): boolean {
  return schemasOfValue(schema).some(hasAmountMark);
}

function hasAmountMark({ value }: SourceLocation): boolean {
  return (value as JsonSchema | undefined)?.["x-compared-as"] === "amount";
}

/** The types of the amounts in requests, by the name of their schema. */
export function amountTypesOf(contract: Contract): ReadonlyMap<string, readonly string[]> {
  const amounts = amountsIn(contract.operations.flatMap(requestSchemasOf));
  return new Map(
    amounts.map((schema) => [schema.name, [...new Set(typesOf(schema))].map((type) => typesByJsonType[type] ?? type)]),
  );
}

export function checkAmounts({ operations, webhooks }: Contract): void {
  for (const operation of operations) {
    checkPlaces(operation);
    checkJsonTypes(operation);
  }
  const receivedBodies = [...operations.flatMap(({ responses }) => responses), ...webhooks.map(requestOf)];
  const received = amountsIn(receivedBodies.flatMap(({ bodies }) => bodies.map(({ schema }) => schema)));
  const receivedIds = received.map(({ id }) => id);
  for (const amount of amountsIn(operations.flatMap(requestSchemasOf))) {
    demand(
      /^#\/components\/schemas\/[^/]+$/.test(amount.pointer),
      amount,
      "The client needs a name for the schema of an amount in a request",
      "Make it a schema of its own",
    );
    demand(
      !receivedIds.includes(amount.id),
      amount,
      `The client has one type for ${amount.name} in requests and in what it receives`,
      "Use another schema in the requests",
    );
  }
}

function requestOf({ requestBody }: Contract["webhooks"][number]) {
  return { bodies: requestBody?.bodies ?? [] };
}

function amountsIn(schemas: readonly SourceLocation[]): SourceLocation[] {
  const amounts = new Map<string, SourceLocation>();
  for (const schema of schemas)
    walkSchema(
      schema,
      (part) => {
        if (hasAmountMark(part)) amounts.set(part.id, part);
      },
      { includesConditions: false },
    );
  return [...amounts.values()];
}

/** The runtime checks amounts that are parameters or members of a body. */
function checkPlaces(operation: Operation): void {
  const partsOfBodies = bodySchemasOf(operation).flatMap(innerSchemasOf);
  const items = partsOfBodies.filter(({ property }) => property === undefined).map(({ schema }) => schema);
  const members = partsOfBodies.filter(({ property }) => property !== undefined).map(({ schema }) => schema);
  const values = [...operation.parameters.map(({ schema }) => schema), ...members];
  const inner = values.flatMap(innerSchemasOf).map(({ schema }) => schema);
  for (const part of [...items, ...inner])
    walkSchema(part, (schema) =>
      demand(
        !hasAmountMark(schema),
        part,
        `The client writes ${schema.name} in parameters and direct members of a body only`,
        "Use another schema here",
      ),
    );
}

/** The schemas of the members and items of a value. */
function innerSchemasOf(schema: SourceLocation) {
  return schemasOfValue(schema)
    .flatMap(subschemasOf)
    .filter(({ role }) => role === "child");
}

function checkJsonTypes(operation: Operation): void {
  const members = bodySchemasOf(operation).flatMap((schema) => [...propertiesOf(schema).values()]);
  for (const value of [...operation.parameters.map(({ schema }) => schema), ...members].filter(isAmount)) {
    const types = typesOf(value);
    demand(types?.includes("null") !== true, value.target, "An amount in a request cannot be null", "Leave null out");
    demand(
      types?.every((type) => type in typesByJsonType) === true,
      value.target,
      "The client writes an amount as a string or a number",
      "State its type: string, number or both",
    );
  }
}
