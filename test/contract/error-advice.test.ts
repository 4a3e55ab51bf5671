import { describe, expect, it } from "vitest";
import { resolutionWithNames } from "../../scripts/contract/model/index.ts";
import { contractOf } from "../support/contract.ts";

describe("the catalogue", async () => {
  const contract = await contractOf("test");
  const entries = contract.errorCodes.map((entry) => [entry.code, entry] as const);

  it.each(entries)("%s says who acts and what to do, in one or two sentences", (_code, { actor, onCall, retry }) => {
    expect(onCall).toMatch(/^[A-Z][^\n]+\.\n?$/);
    expect(onCall.match(/\. [A-Z]/g)?.length ?? 0).toBeLessThanOrEqual(1);
    if (retry === "none") expect(actor).toBe("nobody");
    if (retry === "later" || retry === "unknown") expect(actor).toBe("service");
  });
});

it.each([
  ["P454", " is assumed. Block or delete the active cards of the user first (Block Card, Delete Card)."],
  ["P459", "Have the user verified first (Add User Verification)."],
  ["P461", "Extend the user first (Extend user)."],
  ["P403", "`errorMessage` can hold what is wrong."],
] as const)("the resolution of %s ends with the names of its operations", async (code, ending) => {
  const contract = await contractOf("test");
  const entry = contract.errorCodes.find((candidate) => candidate.code === code);
  if (entry === undefined) throw new Error(`There is no ${code}.`);
  expect(resolutionWithNames(entry, contract)).toMatch(new RegExp(`${ending.replace(/[().]/g, "\\$&")}$`));
});
