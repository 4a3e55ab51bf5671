import * as fc from "fast-check";
import { expect, it } from "vitest";
import { fillPath, readPath } from "../../scripts/site/samples/path-template.ts";
import { snippetLanguages } from "../../scripts/site/samples/snippets.ts";

const literal = fc.string({ unit: fc.constantFrom(..."abv1.+*?()[]^$|\\:~-"), minLength: 1, maxLength: 8 });
const paths = fc
  .array(fc.oneof(literal, fc.record({ name: fc.constantFrom("id", "userId", "tag") })), { minLength: 1, maxLength: 6 })
  .filter((parts) => new Set(parts.map((part) => JSON.stringify(part))).size === parts.length)
  .map((parts) => `/${parts.map((part) => (typeof part === "string" ? part : `{${part.name}}`)).join("/")}`);

it("reads the values back from a filled-in address, whatever they and the path contain", () => {
  const bases = fc.constantFrom("", "http://127.0.0.1:4010", "https://test.partner.example/api/v1");
  const values = fc.record({ id: fc.string(), userId: fc.string({ unit: "grapheme" }), tag: fc.constant("a/b?c#d e") });
  fc.assert(
    fc.property(bases, paths, values, (base, path, allValues) => {
      const ownValues = Object.fromEntries(Object.entries(allValues).filter(([name]) => path.includes(`{${name}}`)));
      const filledPath = fillPath(path, ownValues);
      expect(filledPath).not.toMatch(/[{}#]/);
      expect(readPath(path, base + filledPath)).toEqual({ base, values: ownValues });
    }),
  );
});

it("reads no values from an address that does not end with the path", () => {
  expect(readPath("/v1/users/{id}", "http://127.0.0.1:4010/v2/users/7")).toEqual({
    base: "http://127.0.0.1:4010/v2/users/7",
    values: { id: "" },
  });
});

it("the sample of the client has the parameters of a path with signs that patterns use", () => {
  const call = {
    method: "GET",
    headers: {},
    template: "/v1/pots.(all)/{id}",
    url: "http://127.0.0.1/v1/pots.(all)/a%20b",
  };
  const original = "const { data } = await wallet.getPot({\n  path: {},\n});\n";
  expect(snippetLanguages.typescript?.(call, original)).toContain('path: { id: "a b" },');
});
