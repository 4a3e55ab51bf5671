/** What the catalogue advises on each P-code: who acts, what the engineer on call does, and which operations remove the cause. */
import { describe, expect, it } from "vitest";
import { editions, resolutionWithNames } from "../../scripts/contract/index.ts";
import { contractOf } from "../support/contract.ts";

describe.each(editions)("the edition %s", async (edition) => {
  const contract = await contractOf(edition);
  const entries = contract.errorCodes.map((entry) => [entry.code, entry] as const);

  it.each(entries)("%s says who acts and what to do, in one or two sentences", (_code, { actor, onCall, retry }) => {
    expect(onCall).toMatch(/^[A-Z][^\n]+\.\n?$/);
    expect(onCall.match(/\. [A-Z]/g)?.length ?? 0).toBeLessThanOrEqual(1);
    if (retry === "none") expect(actor).toBe("nobody");
    if (retry === "later" || retry === "unknown") expect(actor).toBe("service");
  });

  it("names operations that it has, and no other", () => {
    const known = contract.operations.map(({ operationId }) => operationId);
    const texts = entries.map(([, { resolution, onCall }]) => `${resolution} ${onCall}`).join("\n");
    expect(entries.flatMap(([, { resolvedBy }]) => resolvedBy).filter((id) => !known.includes(id))).toEqual([]);
    expect(texts).not.toContain("not in this edition");
    const absent = Object.entries(contract.absentOperations).flat();
    expect(absent.filter((name) => new RegExp(`\\b${name.replace(/[()]/g, "\\$&")}(?!\\w)`).test(texts))).toEqual([]);
  });
});

it.each([
  ["P454", "latest", " is assumed. Block or delete the active cards of the user first (Block Card, Delete Card)."],
  ["P459", "latest", "Have the user verified first (Add User Verification)."],
  ["P461", "latest", "Extend the user first."],
  ["P461", "test", "Extend the user first (Extend user)."],
  ["P403", "test", "`errorMessage` can hold what is wrong."],
] as const)("the resolution of %s in %s ends with the names of its operations", async (code, edition, end) => {
  const contract = await contractOf(edition);
  const entry = contract.errorCodes.find((candidate) => candidate.code === code);
  if (entry === undefined) throw new Error(`${edition} has no ${code}.`);
  expect(resolutionWithNames(entry, contract)).toMatch(new RegExp(`${end.replace(/[().]/g, "\\$&")}$`));
});
