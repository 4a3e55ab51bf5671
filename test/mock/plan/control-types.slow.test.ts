import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { projectRoot } from "../../../scripts/contract/model/index.ts";
import { controlTypes } from "../../../scripts/mock/make-plan/index.ts";
import { sources } from "../../support/contract.ts";

it("are those of mock-control.yaml and of the external events in resources.yaml", async () => {
  expect(await controlTypes(sources)).toBe(readFileSync(`${projectRoot}/generated/control/types.ts`, "utf8"));
});
