import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { projectRoot, UsageError } from "../../../scripts/base/index.ts";
import { checkBudgets } from "../../../scripts/tools/bench/bench.ts";

it("lists every figure over its budget, and every name without a counterpart", () => {
  expect(() => checkBudgets({ client: 10, webhooks: 8 }, { client: 10, webhooks: 9 })).not.toThrow();
  const check = () => checkBudgets({ client: 11, webhooks: 9, types: 6 }, { client: 10, webhooks: 9, types: 5 });
  expect(check).toThrow(UsageError);
  expect(check).toThrow(
    /^client: 11 is over the budget of 10 by 1\.\ntypes: 6 is over the budget of 5 by 1\.\n.*budgets\.json/,
  );
  expect(() => checkBudgets({ client: 1 }, {})).toThrow(/client: 1 measured, but there is no budget/);
  for (const measured of [{}, { client: Number.NaN }])
    expect(() => checkBudgets(measured, { client: 1 })).toThrow(/client: there is a budget, but nothing was measured/);
});

it("the sizes that the README states are those that the budgets hold, to 5 percent", () => {
  const readme = readFileSync(`${projectRoot}/README.md`, "utf8");
  const budgets = JSON.parse(readFileSync(`${projectRoot}/scripts/tools/bench/budgets.json`, "utf8"));
  const statedSizes = /([\d.]+) kB for one GET and ([\d.]+) kB for all operations[^.]*?\s([\d.]+) kB/s.exec(readme);
  for (const [index, name] of ["one operation, GET", "all operations", "payments"].entries()) {
    const ratio = (1000 * Number(statedSizes?.[index + 1])) / budgets[`${name}, bytes minified and compressed`];
    expect(ratio, name).toBeGreaterThan(0.95);
    expect(ratio, name).toBeLessThanOrEqual(1);
  }
});
