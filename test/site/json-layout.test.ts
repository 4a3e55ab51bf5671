import * as fc from "fast-check";
import { expect, it } from "vitest";
import { layOutJson } from "../../scripts/site/assets/browser/sending/json-layout.ts";

it("lays out a JSON text as JSON.stringify does, and keeps the digits of numbers", () => {
  expect(layOutJson('{"a":125.50,"b":[ ],"c":[1e-8,{"d":"x, {y}"}],"e":{}}')).toBe(
    '{\n  "a": 125.50,\n  "b": [],\n  "c": [\n    1e-8,\n    {\n      "d": "x, {y}"\n    }\n  ],\n  "e": {}\n}',
  );
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, "\t"), (value, space) => {
      expect(layOutJson(JSON.stringify(value, null, space))).toBe(JSON.stringify(value, null, 2));
    }),
  );
});
