/** Other witnesses of the same changes: a library that compares OpenAPI documents, and the types of the client. */
import { apiCompare } from "api-smart-diff";
import { beforeAll, expect, it, vi } from "vitest";
import { publish } from "../../scripts/bundle/index.ts";
import { compareContracts, findChanges } from "../../scripts/changes/index.ts";
import type { OpenApiDocument } from "../../scripts/contract/index.ts";
import { documentOf, sources } from "../support/contract.ts";
import { seed } from "./seeded.ts";

let text = "";
beforeAll(async () => {
  text = JSON.stringify(publish(await documentOf("test"), sources.publishedKeys()));
});
const published = (): OpenApiDocument => JSON.parse(text);

/** Removes one keyword, out of those whose removal leaves a document that can be read. */
function without(document: OpenApiDocument, index: number): string {
  const found: [holder: Record<string, unknown>, key: string, pointer: string][] = [];
  const walk = (node: unknown, pointer: string): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      const path = `${pointer}/${key}`;
      if (
        /^(properties|required|type|enum|format|pattern|requestBody|security|oneOf|\d+)$/.test(key) &&
        !Array.isArray(node)
      ) {
        found.push([node as Record<string, unknown>, key, path]);
      }
      if (!/example|^x-/.test(key)) walk(value, path);
    }
  };
  walk({ paths: document.paths, components: { schemas: document.components?.schemas } }, "");
  const [holder, key, pointer] = found[Math.floor((found.length * index) / mutants)] ?? expect.fail();
  delete holder[key];
  return pointer;
}

const mutants = 30;

it.each(Array.from({ length: mutants }, (_, index) => index))(
  "what the library calls breaking is a change: mutant %i",
  (index) => {
    const after = published();
    const pointer = without(after, index);
    // It prints which of its own rules have failed, and changes what it is given.
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { diffs } = apiCompare(published(), structuredClone(after));
    vi.restoreAllMocks();
    const isBreaking = diffs.some(({ type, path }) => type === "breaking" && path[0] === "paths");
    if (isBreaking) expect(compareContracts(published(), after), pointer).not.toEqual([]);
  },
);

it("types that programs import and that are gone are breaking, which only the types show", async () => {
  const renamed: OpenApiDocument = JSON.parse(
    text.replaceAll('"CardSummary"', '"CardInList"').replaceAll("/CardSummary", "/CardInList"),
  );
  const changes = await findChanges(published(), renamed);
  expect(changes.filter(({ severity }) => severity === "breaking")).toEqual([
    expect.objectContaining({ id: "schemas types", sentence: expect.stringContaining("`CardSummary` is gone") }),
  ]);
});

it("the types say nothing where a field is known to be gone", async () => {
  const after = seed(published(), { "User/properties/userId": null, "User/required/0": null });
  const ids = (await findChanges(published(), after)).map(({ id }) => id);
  expect(ids).toContain("createUserAccount/201/userId removed");
  expect(ids.filter((id) => id.endsWith(" types"))).toEqual([]);
});
