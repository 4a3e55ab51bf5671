/** openapi/scenario.yaml: all examples tell one story. */
import { beforeAll, describe, expect, it } from "vitest";
import { checks } from "./checks/index.ts";
import { type Facts, readFacts } from "./facts.ts";
import { mutations } from "./mutations.ts";

let facts: Facts;

beforeAll(async () => {
  facts = await readFacts();
});

describe("the scenario", () => {
  it.each(Object.entries(checks))("%s", (_name, check) => {
    expect(check(facts)).toEqual([]);
  });
});

describe("every check notices a mistake", () => {
  it("has one seeded", () => {
    expect([...new Set(mutations.map(({ check }) => check))].sort()).toEqual(Object.keys(checks).sort());
  });

  it.each(mutations)("$mistake", ({ check, seed }) => {
    const mutant = structuredClone(facts);
    seed(mutant);
    const before = checks[check]?.(facts) ?? [];
    const found = checks[check]?.(mutant).filter((problem) => !before.includes(problem)) ?? [];
    expect(found).not.toEqual([]);
  });
});
