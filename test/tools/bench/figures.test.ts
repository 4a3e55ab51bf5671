import { expect, it } from "vitest";
import { compareInTurns, summarise } from "../../../scripts/tools/bench/figures.ts";

it("runs every program equally often, starting each round with another one", async () => {
  const order: string[] = [];
  const programs = { a: { run: () => order.push("a") }, b: { run: async () => order.push("b") } };
  const ratios = await compareInTurns(programs, 10);
  expect(order.slice(0, 8).join("")).toBe("abbabaab");
  expect(order.filter((name) => name === "a").length).toBe(order.length / 2);
  expect(ratios.a).toEqual({ median: 1, quartiles: [1, 1] });
});

it("compares programs by processor time", async () => {
  const work = (length: number) => ({ run: () => Array.from({ length }, (_, index) => Math.sin(index)) });
  const { slow } = await compareInTurns({ fast: work(40_000), slow: work(800_000) }, 5);
  expect(slow.median).toBeGreaterThan(2);
});

it("summarises samples in any order", () => {
  expect(summarise([5, 1, 4, 2, 3])).toEqual({ median: 3, quartiles: [2, 4] });
});
