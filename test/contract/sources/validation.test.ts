import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { compileErrorOf } from "../../../scripts/contract/sources/index.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

it("compiled schemas that nobody keeps are freed", async () => {
  const schemas = Array.from({ length: 20 }, () => {
    const schema = { type: "object", properties: { name: { type: "string" } } };
    expect(compileErrorOf(schema)).toBeUndefined();
    return new WeakRef(schema);
  });
  await new Promise(setImmediate);
  collectGarbage();
  // The engine can still hold the latest one.
  expect(schemas.filter((schema) => schema.deref() !== undefined).length).toBeLessThan(2);
});
