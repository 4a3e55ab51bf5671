import { beforeAll, describe, expect, it } from "vitest";
import type { Contract } from "../../scripts/contract/model/index.ts";
import { contractOf, documentOf } from "../support/contract.ts";
import { type Elements, elementsOf } from "./elements.ts";
import { observedParts, provenanceOf, surface, webhookSurface } from "./surface.ts";

let latestContract: Contract;
let testContract: Contract;
let elements: Elements;
beforeAll(async () => {
  elements = elementsOf(await documentOf("test"));
  latestContract = await contractOf("latest");
  testContract = await contractOf("test");
});

describe("the edition test", () => {
  it("has every operation that is named or seen, and no others but proposed ones", () => {
    const surfaceIds = surface.map(([operationId]) => operationId);
    const otherOperations = testContract.operations.filter(({ operationId }) => !surfaceIds.includes(operationId));
    expect(otherOperations.map(({ provenance }) => provenance)).toEqual(otherOperations.map(() => "proposed"));
    const knownOperations = testContract.operations.filter(({ operationId }) => surfaceIds.includes(operationId));
    const foundRows = knownOperations.map(({ operationId, method, path, provenance }) => [
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
    expect(foundRows.sort()).toEqual(expected.sort());
  });

  it("has exactly the webhooks that the specification names", () => {
    const foundRows = testContract.webhooks.map(({ name, summary, provenance }) => [name, summary, provenance]);
    const expected = webhookSurface.map(([key, name, letter]) => [key, name, provenanceOf[letter]]);
    expect(foundRows.sort()).toEqual(expected.sort());
  });

  it.each(observedParts)("marks as observed: %s", (name) => {
    expect(elements.get(name)?.provenance).toBe("observed");
  });
});

describe("the edition latest", () => {
  it("has the operations that are stated, seen or observed, and every webhook", () => {
    const publishedIds = surface.filter((entry) => entry.at(-1) !== "P").map(([key]) => key);
    expect(latestContract.operations.map(({ operationId }) => operationId).sort()).toEqual(publishedIds.sort());
    const names = webhookSurface.map(([key, name]) => [key, name]);
    expect(latestContract.webhooks.map(({ name, summary }) => [name, summary]).sort()).toEqual(names.sort());
  });
});
