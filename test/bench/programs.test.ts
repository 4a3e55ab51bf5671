/** The programs that the bench compares are made from the contract. */
import { describe, expect, it } from "vitest";
import { consumerNames, consumerPrograms } from "../../scripts/bench/consumers.ts";
import { makeSamples, operationCount, pathnameOf } from "../../scripts/bench/samples.ts";
import { webhookDocument } from "../../scripts/bench/workshop.ts";
import { contractOf } from "../support/contract.ts";

const contract = await contractOf("latest");

describe.each(consumerNames.slice(1))("the consumer of %s", (name) => {
  it("calls as many operations as the others, and refuses a code that none of them has", () => {
    const program = consumerPrograms(contract)[name];
    expect(program.match(/export async function/g)).toHaveLength(operationCount);
    expect(program.match(/@ts-expect-error/g)).toHaveLength(operationCount);
  });
});

it("samples have a path without gaps and a documented answer", () => {
  for (const sample of makeSamples(contract)) {
    expect(pathnameOf(sample)).toMatch(/^\/v1\/[^{}]+$/);
    expect(sample.answer).toBeDefined();
  }
});

it("the document of the webhooks contains every schema that it refers to, and no descriptions or extensions", () => {
  const document = webhookDocument(contract.document) as {
    webhooks: object;
    components: { schemas: Record<string, unknown> };
  };
  expect(Object.keys(document.webhooks)).toEqual(contract.webhooks.map(({ name }) => name));
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name as string);
  expect(references.filter((name) => document.components.schemas[name] === undefined)).toEqual([]);
  expect(text).not.toContain('"x-');
});
