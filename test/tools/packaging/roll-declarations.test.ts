import { expect, it } from "vitest";
import { rollDeclarations } from "../../../scripts/tools/packaging/roll-declarations.ts";

it.each([
  ['import type * as b from "./b.ts"; export type A = b.B;', "need b from ./b.ts in a.ts"],
  ['import type B from "./b.ts"; export type A = B;', "need B from ./b.ts in a.ts"],
  ['export * from "./b.ts";', "need * from ./b.ts in a.ts"],
  ["type A = 1; export type { A as B };", "need B from a.ts in a.ts"],
  ["export default interface A {}", "need default of a.ts. Export it there by its name."],
  ['export type { A } from "./b.ts";', "need A of b.ts. Export it there by its name."],
  ['import type { B } from "./b.ts"; export type A = B; export { C } from "./c.ts";', "need two types named B."],
  ['export type A = import("./b.ts").B;', 'import("./b.ts").B cannot be part of declarations. Import the type.'],
])("refuses to publish declarations of which a part would be missing: %s", (text, message) => {
  const sources = { "b.ts": "export type B = 1;", "c.ts": "type B = 2; export type C = B;" };
  expect(() => rollDeclarations("a.ts", { ...sources, "a.ts": text })).toThrow(message);
});

it("takes the declarations that the exports need from their modules, and imports those of the client", () => {
  const sources = {
    "a.ts": `
      import type { User } from "./generated/client/types.ts";
      import type { B } from "./b.ts";
      /** What A is. */
      export type A<T> = B | Array<T>;
      export function f(a: A<string>): User;
      export function f(a: A<number>): undefined;
      export type { C } from "./b.ts";`,
    "b.ts":
      "type D = 1; export type B = D; export type C = typeof c.length; declare const c: string; export type E = 0;",
  };
  expect(rollDeclarations("a.ts", sources).split("\n")).toEqual([
    'import type { User } from "../client/types.js";',
    "/** What A is. */",
    "type A<T> = B | Array<T>;",
    "type B = D;",
    "type D = 1;",
    "declare function f(a: A<string>): User;",
    "declare function f(a: A<number>): undefined;",
    "type C = typeof c.length;",
    "declare const c: string;",
    "export { A, f, C };",
    "",
  ]);
});
