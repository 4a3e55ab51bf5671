import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { projectRoot } from "../../../scripts/base/index.ts";
import { contractOf } from "../../support/contract.ts";
import { type TypeProblem, typeProblems } from "../../support/type-problems.ts";
import { makeTypePrograms, readmePrograms, typeTestFiles } from "./type-programs.ts";

const programs = makeTypePrograms(await contractOf("test"));
let problems: TypeProblem[];
beforeAll(() => {
  // This file declares the module with the plan, which the mock imports.
  const planDeclaration = readFileSync(`${projectRoot}/scripts/mock/generated-plan.d.ts`, "utf8");
  const modules = new Map(Object.entries({ ...programs, "generated-plan.d.ts": planDeclaration }));
  problems = typeProblems(modules, { noUnusedLocals: false });
});

it.each(Object.keys(programs))("%s compiles", (file) => {
  expect(problems.filter(({ module }) => module === file)).toEqual([]);
});

it("covers the programs of the README, and statements about the client and its testing entry", () => {
  expect(readmePrograms.length).toBeGreaterThan(3);
  expect(typeTestFiles).toEqual(["client.test-d.ts", "testing.test-d.ts"]);
});
