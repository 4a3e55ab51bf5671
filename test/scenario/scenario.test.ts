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

it("a condition with `any` holds by one of several places, and by none of them not", () => {
  const requirements = (sent: object) => {
    const changed = structuredClone(facts);
    for (const request of Object.values(changed.operations.createTransfer?.requests ?? {})) {
      Object.assign(request as object, { sourceExternalUserId: null, destinationExternalUserId: null, ...sent });
    }
    return checks["what an operation requires holds"]?.(changed).filter((problem) => problem.includes("userNamed"));
  };
  const [user] = Object.values(facts.scenario.cast.users);
  expect(requirements({ destinationExternalUserId: user?.externalUserId })).toEqual([]);
  expect(requirements({})).not.toEqual([]);
});
