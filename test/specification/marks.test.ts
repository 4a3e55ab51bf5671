/** What an audit found unmarked: null that nobody shows, the case of codes in webhooks, examples, and the register. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  type JsonSchema,
  type MediaTypeObject,
  methods,
  type OpenApiDocument,
  type OperationObject,
  type RequestBodyObject,
  type ResponseObject,
} from "../../scripts/contract/index.ts";
import { documentOf, sources } from "../support/contract.ts";
import { dereference, violations } from "../support/schema.ts";

/** Null that the public reference shows. */
const shownAsNull = ["iban", "wallet", "receiverFirstName", "receiverLastName", "walletAddress", "expiresAt"];
/** Null that the interface specification states. */
const statedAsNull = ["destinationExternalUserId", "user"];

interface Body {
  name: string;
  schema: JsonSchema;
  isProposed: boolean;
}

/** The bodies that the service sends, without references. */
function bodiesOf({ paths, webhooks = {} }: OpenApiDocument): Body[] {
  const operations = Object.values(paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []));
  const ofOperations = operations.flatMap((operation) =>
    Object.entries(operation.responses as Record<string, ResponseObject>).flatMap(([status, { content = {} }]) =>
      Object.values(content).map((media) => bodyOf(`${operation.operationId} ${status}`, media, operation)),
    ),
  );
  const ofWebhooks = Object.entries(webhooks).flatMap(([name, { post }]) => {
    const { content = {} } = (post?.requestBody ?? {}) as Partial<RequestBodyObject>;
    return Object.values(content).map((media) => bodyOf(name, media, post));
  });
  return [...ofOperations, ...ofWebhooks];
}

function bodyOf(name: string, { schema }: MediaTypeObject, operation: OperationObject | undefined): Body {
  return { name, schema, isProposed: operation?.["x-provenance"] === "proposed" };
}

/** The properties of a schema at any depth, with the schemas that enclose each of them. */
function* fieldsOf(schema: JsonSchema, above: JsonSchema[] = []): Generator<[name: string, way: JsonSchema[]]> {
  const way = [...above, schema];
  for (const [name, inner] of Object.entries(schema.properties ?? {}) as [string, JsonSchema][]) {
    yield [name, [...way, inner]];
    yield* fieldsOf(inner, way);
  }
  for (const branch of ["allOf", "anyOf", "oneOf"].flatMap((keyword) => (schema[keyword] ?? []) as JsonSchema[]))
    yield* fieldsOf(branch, way);
  if (typeof schema.items === "object") yield* fieldsOf(schema.items as JsonSchema, way);
}

const branchesOf = (schema: JsonSchema) => [schema, ...((schema.oneOf ?? []) as JsonSchema[])];
const takesNull = (schema: JsonSchema) => branchesOf(schema).some(({ type }) => [type].flat().includes("null"));
const isMarked = (schema: JsonSchema) => "x-open-questions" in schema || schema["x-provenance"] === "proposed";

describe("the edition test", () => {
  let bodies: Body[];
  beforeAll(async () => {
    bodies = bodiesOf(dereference(await documentOf("test")));
  });

  it("marks every null that nobody shows, or asks about it", () => {
    const unmarked = bodies
      .filter(({ isProposed }) => !isProposed)
      .flatMap(({ name, schema }) =>
        [...fieldsOf(schema)]
          .filter(([, way]) => takesNull(way.at(-1) ?? {}) && !way.flatMap(branchesOf).some(isMarked))
          .map(([field]) => ({ name, field })),
      )
      .filter(({ field }) => ![...shownAsNull, ...statedAsNull].includes(field));
    expect(unmarked).toEqual([]);
  });

  it("has currency codes in lower case in every webhook (Resources and their fields, Conventions)", () => {
    const webhooks = bodies.filter(({ name }) => !name.includes(" "));
    const codes = webhooks.flatMap(({ name, schema }) =>
      [...fieldsOf(schema)]
        .filter(
          ([field, way]) => /^(currency|cryptocurrency|currencyFrom|currencyTo)$/.test(field) && !hasFields(way.at(-1)),
        )
        .map(([field, way]) => ({ name: `${name} ${field}`, schema: way.at(-1) as JsonSchema })),
    );
    expect(codes.length).toBeGreaterThan(10);
    const wrong = codes.filter(
      ({ schema }) => violations(schema, "btc").length > 0 || violations(schema, "BTC").length === 0,
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it("shows a cryptocurrency, and not the same user twice, in the examples of fields", () => {
    const examples = bodies.flatMap(({ name, schema }) =>
      [...fieldsOf(schema)].map(([field, way]) => ({ name, field, example: exampleOf(way.at(-1) ?? {}) })),
    );
    const of = (field: string) => examples.filter((one) => one.field === field).map(({ example }) => example);
    expect(of("cryptocurrency")).not.toContain("eur");
    expect(of("destinationExternalUserId")).not.toContain(of("sourceExternalUserId")[0]);
  });
});

it("says in the register what is stated: the records of transfers and crypto deposits, but no transition of a user", () => {
  const { resources } = sources.registers();
  const found = (name: string) => resources.find((resource) => resource.name === name);
  expect([found("transfer")?.provenance, found("cryptoDeposit")?.provenance]).toEqual([undefined, undefined]);
  expect(found("user")?.provenance).toBeUndefined();
  const marks = found("user")?.states.map(({ name, provenance }) => [name, provenance]);
  expect(marks).toEqual([
    ["verification", "proposed"],
    ["access", "reference"],
    ["proofOfAddress", "proposed"],
  ]);
  const access = found("user")?.states.find(({ name }) => name === "access");
  // That a suspended user can be deleted, no document shows.
  expect(access?.place.at("transitions", "suspended", 1).value).toMatchObject({
    to: "deleted",
    provenance: "proposed",
  });
});

it("says of no condition more than the meaning of its code", () => {
  const { conditions } = sources.registers();
  // P464 and P465 are about another user (Create User Account, Rules); of P466 only the meaning is stated.
  expect(conditions.documentFree?.meaning).toBe("No user has this document number");
});

const hasFields = (schema: JsonSchema = {}) => branchesOf(schema).some(({ properties }) => properties !== undefined);

function exampleOf(schema: JsonSchema): unknown {
  return branchesOf(schema).flatMap(({ examples = [] }) => examples as unknown[])[0];
}
