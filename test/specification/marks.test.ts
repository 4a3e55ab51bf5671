import { beforeAll, describe, expect, it } from "vitest";
import { type Contract, type Marks, type SourceLocation, walkSchema } from "../../scripts/contract/model/index.ts";
import { contractOf, sources } from "../support/contract.ts";
import { violations } from "../support/schema.ts";

/** Fields that are null in the public reference. */
const fieldsShownAsNull = ["iban", "wallet", "receiverFirstName", "receiverLastName", "walletAddress", "expiresAt"];
/** Fields that can be null according to the interface specification. */
const fieldsStatedAsNull = ["destinationExternalUserId", "user"];

interface Field {
  body: string;
  name: string;
  /** The property's schema, the branches of its `oneOf`, and the targets of their references. */
  shapes: SourceLocation[];
  isMarked: boolean;
}

const shapesOf = (location: SourceLocation) =>
  [location, ...location.at("oneOf").items()].flatMap((shape) =>
    shape.target.id === shape.id ? [shape] : [shape, shape.target],
  );

const hasQuestion = ({ value }: SourceLocation) => (value as Marks)["x-open-questions"] !== undefined;
const isProposed = ({ value }: SourceLocation) => (value as Marks)["x-provenance"] === "proposed";

function fieldsOf({ operations, webhooks }: Contract): Field[] {
  const operationBodies = operations.flatMap(({ name, requestBody, responses }) =>
    [...(requestBody === undefined ? [] : [{ ...requestBody, key: "request" }]), ...responses].flatMap(
      ({ key, bodies }) => bodies.map((body) => ({ ...body, name: `${name} ${key}` })),
    ),
  );
  const webhookBodies = webhooks.flatMap(({ name, requestBody }) =>
    (requestBody?.bodies ?? []).map((body) => ({ ...body, name })),
  );
  return [...operationBodies, ...webhookBodies].flatMap(({ name: body, schema }) => {
    const fields: Field[] = [];
    walkSchema(schema, (location, { property: name, ancestors }) => {
      if (name === undefined) return;
      const shapes = shapesOf(location);
      const isMarked = shapes.some(isProposed) || [...ancestors.flatMap(shapesOf), ...shapes].some(hasQuestion);
      fields.push({ body, name, shapes, isMarked });
    });
    return fields;
  });
}

describe("the edition test", () => {
  let contract: Contract;
  let fields: Field[];
  beforeAll(async () => {
    contract = await contractOf("test");
    fields = fieldsOf(contract);
  });

  it("marks every null that no source shows, or has a question about it", () => {
    const unmarkedFields = fields.filter(({ name, shapes, isMarked }) => {
      const canBeNull = shapes.some((shape) => [shape.child("type").value].flat().includes("null"));
      return canBeNull && !isMarked && ![...fieldsShownAsNull, ...fieldsStatedAsNull].includes(name);
    });
    expect(unmarkedFields.map(({ body, name }) => `${body} ${name}`)).toEqual([]);
  });

  it("has currency codes in lower case in every webhook (Resources and their fields, Conventions)", () => {
    const codes = fields.filter(({ body, name, shapes }) => {
      const isCode = /^(currency|cryptocurrency|currencyFrom|currencyTo)$/.test(name);
      return isCode && !body.includes(" ") && !shapes.some((shape) => shape.child("properties").exists);
    });
    expect(codes.length).toBeGreaterThan(10);
    const { components } = contract.document;
    const wrongFields = codes.filter(({ shapes: [schema] }) => {
      const refusals = (code: string) => violations({ ...(schema?.value as object), components }, code).length;
      return refusals("btc") > 0 || refusals("BTC") === 0;
    });
    expect(wrongFields.map(({ body, name }) => `${body} ${name}`)).toEqual([]);
  });

  it("has a cryptocurrency and two different users in the examples of fields", () => {
    const examplesOf = (name: string) =>
      fields
        .filter((field) => field.name === name && !field.body.endsWith(" request"))
        .map(({ shapes }) => shapes.flatMap((shape) => shape.child("examples").items())[0]?.value);
    expect(examplesOf("cryptocurrency")).not.toContain("eur");
    expect(examplesOf("destinationExternalUserId")).not.toContain(examplesOf("sourceExternalUserId")[0]);
  });
});

it("marks every state of a user in the register, but not the resources transfer and cryptoDeposit", () => {
  const { resources } = sources.registers();
  const resourceNamed = (name: string) => resources.find((resource) => resource.name === name);
  expect([resourceNamed("transfer")?.provenance, resourceNamed("cryptoDeposit")?.provenance]).toEqual([
    undefined,
    undefined,
  ]);
  expect(resourceNamed("user")?.provenance).toBeUndefined();
  const marks = resourceNamed("user")?.states.map(({ name, provenance }) => [name, provenance]);
  expect(marks).toEqual([
    ["verification", "proposed"],
    ["access", "reference"],
    ["proofOfAddress", "proposed"],
  ]);
  const access = resourceNamed("user")?.states.find(({ name }) => name === "access");
  // No document shows that a suspended user can be deleted.
  expect(access?.location.at("transitions", "suspended", 1).value).toMatchObject({
    to: "deleted",
    provenance: "proposed",
  });
});

it("does not state more in a condition than the meaning of its P-code", () => {
  const { conditions } = sources.registers();
  // The specification states for P464 and P465 that another user has the value (Create User Account, Rules), but not for P466.
  expect(conditions.documentFree?.meaning).toBe("No user has this document number");
});
