/** Printed samples are safe for a shell and a parser, whatever they contain. */
import { expect, it } from "vitest";
import { Expression, printJson, printValue, quote } from "../../scripts/site/samples/print-code.ts";
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

it("prints values as literals", () => {
  const value = { awkward, "a key": null, nested: { list: [1.5, true, []], empty: {} }, long: "x".repeat(90) };
  expect(new Function(`return ${printValue(value)};`)()).toEqual(value);
});

it("keeps expressions in values", () => {
  const file = new Expression('new File(["a few bytes"], "page-0.jpg")');
  expect(printValue({ file })).toBe('{ file: new File(["a few bytes"], "page-0.jpg") }');
});
