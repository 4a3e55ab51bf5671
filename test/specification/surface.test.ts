/** The whole surface: every operation and webhook that the specification names, with provenance and edition. */
import { describe, expect, it } from "vitest";
import { bundleEditions } from "../../scripts/build/bundle.ts";
import { readContract } from "../../scripts/contract/contract.ts";
import { provenanceOf, surface, webhookSurface } from "./surface.ts";

const documents = await bundleEditions();
const latest = readContract(documents.latest);
const test = readContract(documents.test);

describe("the edition test", () => {
  it("has exactly the operations that the specification names", () => {
    const found = test.operations.map(({ operationId, method, path, provenance }) => [
      operationId,
      method,
      path,
      provenance,
    ]);
    const expected = surface.map(([operationId, method, path, letter]) => [
      operationId,
      method,
      path,
      provenanceOf[letter],
    ]);
    expect(found.sort()).toEqual(expected.sort());
    expect(found).toHaveLength(57);
  });

  it("has exactly the webhooks that the specification names", () => {
    const found = test.webhooks.map(({ name, summary, provenance }) => [name, summary, provenance]);
    const expected = webhookSurface.map(([key, name, letter]) => [key, name, provenanceOf[letter]]);
    expect(found.sort()).toEqual(expected.sort());
    expect(found).toHaveLength(18);
  });

  it("has a path of its own for every webhook", () => {
    expect(new Set(test.webhooks.map(({ path }) => path)).size).toBe(test.webhooks.length);
  });
});

describe("the edition latest", () => {
  it("has what is stated or seen, and nothing that is proposed", () => {
    const known = (entries: [string, ...string[]][]) =>
      entries.filter((entry) => entry.at(-1) !== "P").map(([key]) => key);
    expect(latest.operations.map(({ operationId }) => operationId).sort()).toEqual(known(surface).sort());
    expect(latest.webhooks.map(({ name }) => name).sort()).toEqual(known(webhookSurface).sort());
  });
});

it("prints the surface", () => {
  const inLatest = new Set([
    ...latest.operations.map(({ operationId }) => operationId),
    ...latest.webhooks.map(({ name }) => name),
  ]);
  const editionOf = (key: string) => (inLatest.has(key) ? "latest, test" : "test");
  const operations = test.operations.map(({ operationId, method, path, provenance, answers }) => {
    const codes = answers.flatMap((answer) => answer.codes).join(" ");
    return `  ${operationId.padEnd(31)} ${provenance.padEnd(13)} ${editionOf(operationId).padEnd(12)} ${method.toUpperCase()} ${path}  ${codes}`;
  });
  const webhooks = test.webhooks.map(({ name, path, provenance }) => {
    return `  ${name.padEnd(31)} ${provenance.padEnd(13)} ${editionOf(name).padEnd(12)} POST ${path}`;
  });
  console.log(
    `\nOperations (${operations.length})\n${operations.join("\n")}\nWebhooks (${webhooks.length})\n${webhooks.join("\n")}`,
  );
  expect(operations.length + webhooks.length).toBe(75);
});
