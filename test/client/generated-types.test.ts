import { expect, it } from "vitest";
import { found } from "../../scripts/base/index.ts";
import { clientOf, schemasIn } from "../support/client-of.ts";
import { copyOf } from "../support/contract.ts";

const text = { type: "string" };
const properties = { a: text, b: text };
const requires = (name: string, schema: object = text) => ({ required: [name], properties: { [name]: schema } });
const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const referencedSchemas = {
  Base: { type: "object", properties },
  DerivedBase: { allOf: [refTo("Base")] },
  CardPayment: { type: "object", ...requires("kind", { const: "card" }) },
  BankPayment: { type: "object", ...requires("kind", { const: "bank" }) },
};

async function typesOf(schemas: Record<string, object>): Promise<string> {
  const files = await clientOf((document) => Object.assign(schemasIn(document), referencedSchemas, schemas));
  return found(files["types.ts"], "types.ts");
}

const oneOrBoth = "({ a: string; b?: Absent; } | { a?: Absent; b: string; } | { a: string; b: string; })";

const forms: [form: string, schema: object, type: string][] = [
  [
    "anyOf beside properties",
    { type: "object", required: ["x"], properties: { x: text, ...properties }, anyOf: [requires("a"), requires("b")] },
    `{ x: string; } & ${oneOrBoth}`,
  ],
  [
    "anyOf beside allOf",
    { allOf: [refTo("CardPayment")], anyOf: [requires("a"), requires("b")] },
    "CardPayment & ({ a: string; } | { b: string; })",
  ],
  [
    "anyOf of which a branch requires two members",
    { properties, anyOf: [requires("a"), { required: ["a", "b"], properties }] },
    "{ a?: string; b?: string; } & ({ a: string; } | { a: string; b: string; })",
  ],
  [
    "anyOf of which a branch has another type",
    { properties, anyOf: [requires("a", { const: "v" }), requires("b")] },
    '{ a?: string; b?: string; } & ({ a: "v"; } | { b: string; })',
  ],
  ["a reference and required names", { allOf: [refTo("Base"), { required: ["a"] }] }, "Base & { a: string; }"],
  [
    "a reference to a reference and required names",
    { allOf: [refTo("DerivedBase")], required: ["a"] },
    "DerivedBase & { a: string; }",
  ],
  [
    "a reference and required names of an object",
    { allOf: [refTo("Base"), { type: "object", required: ["a"] }] },
    "Base & { a: string; }",
  ],
  [
    "a reference and an object that requires members of both",
    { allOf: [refTo("Base"), { required: ["a", "c"], properties: { c: text } }] },
    "Base & { c: string; } & { a: string; }",
  ],
  [
    "required names under allOf beside properties",
    { properties, allOf: [{ required: ["a"] }] },
    "{ a?: string; b?: string; } & { a: string; }",
  ],
  ["a reference and a limit", { allOf: [refTo("Uuid"), { minLength: 5 }] }, "Uuid"],
  ["limits under anyOf", { type: "string", anyOf: [{ pattern: "a" }, { pattern: "b" }] }, "string"],
  ["limits under oneOf", { type: "string", oneOf: [{ pattern: "a" }, { pattern: "b" }] }, "string"],
  ["values under anyOf", { type: "string", anyOf: [{ enum: ["A"] }, { enum: ["B"] }] }, 'string & ("A" | "B")'],
  ["an object with a limit under allOf", { allOf: [{ type: "object", minProperties: 1 }] }, "Record<string, unknown>"],
  [
    "a discriminator without mapping",
    { oneOf: [refTo("CardPayment"), refTo("BankPayment")], discriminator: { propertyName: "kind" } },
    "CardPayment | BankPayment",
  ],
];

let formTypes: Promise<string> | undefined;

it.each(forms.map(([form, _schema, type], index) => [form, type, index] as const))(
  "types %s",
  async (_form, type, index) => {
    formTypes ??= typesOf(Object.fromEntries(forms.map(([, schema], number) => [`Form${number}`, schema])));
    const [, written = ""] =
      new RegExp(`export type Form${index} = (.*?);\\n(?! |\\})`, "s").exec(await formTypes) ?? [];
    expect(written.replace(/\s+/g, " ")).toBe(type);
  },
);

it("keeps the constants of schemas that a discriminator names", async () => {
  formTypes ??= typesOf(Object.fromEntries(forms.map(([, schema], number) => [`Form${number}`, schema])));
  expect(await formTypes).toMatch(/export type CardPayment = \{\s+kind: "card";\s+\};/);
});

it("refuses a call without the alternatives wherever the contract writes them", async () => {
  const { components } = await copyOf("test");
  const { allOf, ...request } = found(components?.schemas?.TransferRequest, "TransferRequest") as { allOf: [object] };
  const types = await typesOf({ TransferRequest: { ...request, ...allOf[0] } });
  expect(types).toContain(/export type TransferRequest = .*?\n\}\);/s.exec(await typesOf({}))?.[0]);
});

/** An object that requires one of several members, or with `oneOf` exactly one. */
function alternativesOf(count: number, keyword: "anyOf" | "oneOf"): object {
  const names = Array.from({ length: count }, (_, index) => `a${index}`);
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, text])),
    allOf: [{ [keyword]: names.map((name) => ({ required: [name], properties: { [name]: text } })) }],
  };
}

it("has a type for each choice of six members, and for each of seven of which one is chosen", async () => {
  const types = await typesOf({ Some: alternativesOf(6, "anyOf"), One: alternativesOf(7, "oneOf") });
  const typeCountOf = (name: string) =>
    new RegExp(`export type ${name} = .*?\\n\\}\\);`, "s").exec(types)?.[0].match(/a0\??: /g)?.length;
  expect([typeCountOf("Some"), typeCountOf("One")]).toEqual([63, 7]);
});

it.each<[schema: object, message: string]>([
  [
    { properties, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    ": The type of the client would allow an object without a.",
  ],
  [{ type: "object", required: ["c"], properties }, ": The type of the client would allow an object without c."],
  [
    { type: "array", items: { properties: { inner: { type: "object", required: ["c"] } } } },
    "/items/properties/inner: The type of the client would allow an object without c.",
  ],
  [
    alternativesOf(7, "anyOf"),
    ": The type of the client would have 127 alternatives, one for each choice of 7 members.",
  ],
  [
    { allOf: Array.from({ length: 5 }, () => alternativesOf(4, "oneOf")) },
    ": The client would compare 1024 combinations of the alternatives of this schema.",
  ],
  [{ oneOf: [text, { const: null }] }, ": The client has no type for a part of this schema."],
])("refuses a schema whose type would be too wide or too long: %j", async (schema, message) => {
  await expect(typesOf({ Form: schema })).rejects.toThrow(`#/components/schemas/Form${message}`);
});
