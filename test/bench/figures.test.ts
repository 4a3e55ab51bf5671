import { expect, it } from "vitest";
import { compareInTurns, summarise, table, timesWithin } from "../../scripts/bench/figures.ts";

it("runs every program equally often, and starts each round with another one", async () => {
  const order: string[] = [];
  const programs = { a: () => order.push("a"), b: async () => order.push("b") };
  const ratios = await compareInTurns(programs, "a", { rounds: 10, runs: 2 });
  expect(order.slice(0, 8).join("")).toBe("aabbbbaa");
  expect(order.filter((name) => name === "a").length).toBe(order.length / 2);
  expect(ratios.a).toEqual({ median: 1, quartiles: [1, 1] });
});

it("compares programs by their processor time", async () => {
  const work = (count: number) => () => Array.from({ length: count }, (_, index) => Math.sin(index));
  const { slow } = await compareInTurns({ fast: work(20_000), slow: work(400_000) }, "fast", { rounds: 5, runs: 2 });
  expect(slow.median).toBeGreaterThan(2);
});

it("summarises samples in any order", () => {
  expect(summarise([5, 1, 4, 2, 3])).toEqual({ median: 3, quartiles: [2, 4] });
});

it("formats ratios and tables", () => {
  expect(timesWithin({ median: 1.234, quartiles: [0.5, 12.6] })).toBe("1.23 (0.50–13)");
  expect(
    table([
      ["Client", "ratio"],
      ["ours", "1.00"],
    ]),
  ).toBe("| Client | ratio |\n| ------ | ----: |\n| ours   |  1.00 |");
});
