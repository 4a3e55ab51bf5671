/** The compiled validators of webhook bodies. */
import { expect, it } from "vitest";
import { generateValidators } from "../../scripts/client/generate.ts";
import { fingerprintOf } from "../../scripts/client/validators.ts";
import type { JsonSchema, OpenApiDocument } from "../../scripts/contract/index.ts";

/** A document with one webhook, whose body has one property. */
function documentWith(property: JsonSchema): OpenApiDocument {
  const schema = { type: "object", properties: { value: { $ref: "#/components/schemas/Value" } } };
  return {
    openapi: "3.1.1",
    info: { title: "Small", version: "1.0.0" },
    servers: [],
    paths: {},
    webhooks: {
      valueChanged: {
        post: {
          requestBody: { content: { "application/json": { schema } } },
          responses: { 200: { description: "Received." } },
        },
      },
    },
    components: { schemas: { Value: property } },
  } as unknown as OpenApiDocument;
}

async function validatorOf(property: JsonSchema): Promise<(body: unknown) => boolean> {
  const text = generateValidators(documentWith(property));
  const module = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`);
  return module.valueChanged;
}

it("check the formats that they know", async () => {
  const validate = await validatorOf({ type: "string", format: "date" });
  expect(validate({ value: "2026-03-09" })).toBe(true);
  expect(validate({ value: "yesterday" })).toBe(false);
});

it("are not generated for a format that they would not check", () => {
  const generate = () => generateValidators(documentWith({ type: "string", format: "ipv4" }));
  expect(generate).toThrow(/^Webhook valueChanged: unknown format "ipv4"/);
});

it("contain the fingerprint of their bundle, which tells when they are outdated", () => {
  const date = documentWith({ type: "string", format: "date" });
  const uuid = documentWith({ type: "string", format: "uuid" });
  expect(generateValidators(date)).toContain(fingerprintOf(structuredClone(date)));
  expect(generateValidators(date)).not.toContain(fingerprintOf(uuid));
});
