import { expect, it } from "vitest";
import { bundleMock } from "../../../scripts/tools/packaging/mock-dist.ts";
import { rollDeclarations } from "../../../scripts/tools/packaging/roll-declarations.ts";

it.each([
  ['import type * as b from "./b.ts"; export type A = b.B;', "need b from ./b.ts in a.ts"],
  ['import type B from "./b.ts"; export type A = B;', "need B from ./b.ts in a.ts"],
  ['export * from "./b.ts";', "need * from ./b.ts in a.ts"],
  ["type A = 1; export type { A as B };", "need B from a.ts in a.ts"],
  [
    "export default interface A {}",
    "need default from a.ts in a.ts. Import it by its own name, from a file of this repository.",
  ],
  ['export type { A } from "./b.ts";', "need A of b.ts. Export it there by its name."],
  [
    'import type { B } from "./b.ts"; export type A = B; export { C } from "./c.ts";',
    "need B of b.ts and B of c.ts. Rename one.",
  ],
  [
    'import type { D } from "./d.ts"; export type A = D | Response;',
    "need Response of d.ts and Response of the global scope. Rename one.",
  ],
  [
    'import type { B } from "./b.ts"; export type A = B; export type { E } from "./e.ts";',
    "need B of b.ts and B of generated/client/types.ts. Rename one.",
  ],
  ['export type A = import("./b.ts").B;', 'import("./b.ts").B cannot be part of declarations. Import the type.'],
])("refuses to publish declarations of which a part would be missing: %s", (text, message) => {
  const sources = {
    "b.ts": "export type B = 1;",
    "c.ts": "type B = 2; export type C = B;",
    "d.ts": "type Response = 1; export type D = Response;",
    "e.ts": 'import type { B } from "./generated/client/types.ts"; export type E = B;',
  };
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
      export type { C } from "./b.ts";
      declare const key: unique symbol, other: unique symbol;
      export interface G { [key]: 1; [other]: 2; [Symbol.iterator]: () => Iterator<1>; "-": { [I in "T"]: I } }
      export type { H } from "./h.ts";`,
    "b.ts":
      "type D = 1; export type B = D; export type C = typeof c.length; declare const c: string; export type E = 0;",
    "h.ts": "type T = 1; type I = 2; export type H = T | I;",
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
    "interface G {",
    "\t[key]: 1;",
    "\t[other]: 2;",
    "\t[Symbol.iterator]: () => Iterator<1>;",
    '\t"-": { [I in "T"]: I };',
    "}",
    "declare const key: unique symbol, other: unique symbol;",
    "type H = T | I;",
    "type T = 1;",
    "type I = 2;",
    "export { A, f, C, G, H };",
    "",
  ]);
});

it("says that the plan could not be made, before it reads anything", async () => {
  const planning = Promise.reject(new Error("no plan"));
  await expect(bundleMock(planning, { "scripts/mock/index.ts": "export const untyped = [];" })).rejects.toThrow(
    "no plan",
  );
});
