import fc from "fast-check";
import { expect, it } from "vitest";
import { visitTokens } from "../../scripts/client/src/reading/index.ts";

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  visitTokens(text, (firstCharacter, start, end) => {
    const token = text.slice(start, end);
    expect(token.startsWith(firstCharacter)).toBe(true);
    tokens.push(token);
  });
  return tokens;
}

it("finds every token of a JSON text, however it is indented", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(3), (json, indent) => {
      const tokens = tokensOf(JSON.stringify(JSON.parse(json), null, indent));
      expect(JSON.parse(tokens.join(" "))).toEqual(JSON.parse(json));
      expect(tokens.filter((token) => !/^([{}[\]:,]|".*"|-?\d[\d.eE+-]*|true|false|null)$/.test(token))).toEqual([]);
    }),
  );
});

it("covers every character of any text except white space", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ \n1e-tx') }), (text) => {
      const withoutWhiteSpace = (part: string) => part.replace(/\s/g, "");
      expect(withoutWhiteSpace(tokensOf(text).join(""))).toBe(withoutWhiteSpace(text));
    }),
  );
});

it("stops at the token for which the visitor returns true", () => {
  let tokenCount = 0;
  visitTokens("[".repeat(1_000_000), () => ++tokenCount === 3);
  expect(tokenCount).toBe(3);
});

it("reads a string of 20 MB", () => {
  expect(tokensOf(`["${"a".repeat(20_000_000)}"]`)).toHaveLength(3);
});
