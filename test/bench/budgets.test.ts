import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkBudgets, readBudgets, writeBudgets } from "../../scripts/bench/bench.ts";
import { UsageError } from "../../scripts/contract/index.ts";

describe("budgets", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "budgets-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("accept what was measured when they were written, and a few bytes more", () => {
    const file = join(folder, "budgets.json");
    writeBudgets({ client: 10_000, webhooks: 77 }, file);
    const budgets = readBudgets(file);
    expect(() => checkBudgets({ client: 10_050, webhooks: 80 }, budgets)).not.toThrow();
    expect(() => checkBudgets({ client: 11_000, webhooks: 80 }, budgets)).toThrow(/^client: 11000 is over the budget/);
  });

  it("are generous to ratios of times", () => {
    const file = join(folder, "ratios.json");
    writeBudgets({ "mock, CPU, ‰ of prism mock": 133 }, file);
    expect(readBudgets(file)).toEqual({ "mock, CPU, ‰ of prism mock": 270 });
  });

  it("name every figure that is over", () => {
    const check = () => checkBudgets({ client: 11, webhooks: 9, types: 6 }, { client: 10, webhooks: 9, types: 5 });
    expect(check).toThrow(UsageError);
    expect(check).toThrow(
      /^client: 11 is over the budget of 10 by 1\.\ntypes: 6 is over the budget of 5 by 1\.\n.*--update/,
    );
  });

  it("must have the names of the figures", () => {
    expect(() => checkBudgets({ client: 1 }, {})).toThrow(/client: 1 measured, but there is no budget/);
    expect(() => checkBudgets({}, { client: 1 })).toThrow(/client: there is a budget, but nothing was measured/);
  });

  it("are kept as integers above 0", () => {
    const budgets = Object.values(readBudgets());
    expect(budgets.length).toBeGreaterThan(0);
    expect(budgets.filter((budget) => !Number.isInteger(budget) || budget <= 0)).toEqual([]);
  });
});
