/** How the search tells which page is meant. */
import { expect, test } from "vitest";
import { likenessOf } from "../../scripts/docs/assets/browser/find.ts";

const likeness = (title: string, names: string, typed: string) => likenessOf({ meta: { title, names } }, typed);

test("a page is the more likely meant, the more its names are like what was typed", () => {
  const ranks = [
    likeness("Create a Transfer", "", "create transfer"),
    likeness("Create transfer master balance", "transferToMasterBalance", "create transfer"),
    likeness("Unknown outcomes of money calls", "retry-safety, create transfer", "create transfer"),
    likeness("Create a SEPA Transfer", "", "create transfer"),
    likeness("Something else", "createTransferLater, create transfer later", "create transfer"),
    likeness("Something else", "", "create transfer"),
  ];
  expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
  expect(new Set(ranks).size).toBe(ranks.length);
});

test("case, hyphens and articles make no difference", () => {
  const meant = likeness("Times and zones", "time zone", "Time-Zone");
  expect(meant).toBe(likeness("Anything", "time zone", "the time zone"));
  expect(meant).toBeGreaterThan(0);
});
