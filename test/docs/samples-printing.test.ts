/** What samples print survives a shell and a parser, whatever it holds. */
import { expect, it } from "vitest";
import { Expression, printJson, printValue, quote } from "../../scripts/docs/samples/print-code.ts";
import { wordsOf } from "./samples/shell.ts";

const awkward = [
  "it's",
  "''",
  '"$HOME"',
  "`date` $(date)",
  "back\\slash",
  "a & b; c | d > e",
  "!!",
  "*",
  "~",
  "-d",
  "é €",
];

it("quotes words for a shell", async () => {
  const commands = awkward.map((text) => `show ${quote(text)} ${quote(printJson({ text }))}`);
  expect(await wordsOf("show", commands)).toEqual(awkward.map((text) => [text, printJson({ text })]));
});

it("leaves words alone that need no quotes", () => {
  expect(["groceries", "http://127.0.0.1:4010/v1/card", ""].map(quote)).toEqual([
    "groceries",
    "http://127.0.0.1:4010/v1/card",
    "''",
  ]);
});

it("prints values as literals", () => {
  const value = { awkward, "a key": null, nested: { list: [1.5, true, []], empty: {} }, long: "x".repeat(90) };
  expect(new Function(`return ${printValue(value)};`)()).toEqual(value);
});

it("breaks a line where it is too long, and keeps expressions", () => {
  const files = Array.from(
    { length: 2 },
    (_, index) => new Expression(`new File(["a few bytes"], "page-${index}.jpg")`),
  );
  expect(printValue({ short: [1, 2], files })).toBe(
    [
      "{",
      "  short: [1, 2],",
      "  files: [",
      '    new File(["a few bytes"], "page-0.jpg"),',
      '    new File(["a few bytes"], "page-1.jpg"),',
      "  ],",
      "}",
    ].join("\n"),
  );
});
