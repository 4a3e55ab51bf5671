import { expect, it } from "vitest";
import { isOfMock, ratesOf, reportMock } from "../../scripts/bench/mock-report.ts";

const steady = (value: number) => ({ median: value, quartiles: [value, value] as const });
const spent = (elapsed: number, cpu: number) => ({ elapsed, cpu });
const rates = ratesOf(
  [spent(20, 10), spent(40, 30), spent(20, 10)],
  [spent(400, 200), spent(800, 300), spent(500, 200)],
);

it("compares rounds with the same rounds of Prism", () => {
  expect(rates).toEqual({
    perSecond: { mock: 50_000, prism: 2000 },
    cpu: { mock: 10, prism: 200 },
    throughput: { median: 20, quartiles: [20, 25] },
    savedCpu: { median: 20, quartiles: [20, 20] },
  });
});

it("gives figures of which less is better", () => {
  const bySize = (...ratios: number[]) => ({ cpu: 20, times: ratios.map(steady) });
  const { report, figures } = reportMock({
    starts: { mock: steady(150), prism: steady(2000) },
    rates: { stateless: rates, stateful: rates },
    bySize: { stateless: bySize(1, 1.1), stateful: bySize(1, 1.2), prism: bySize(2, 7) },
    counts: [57, 570, 2280],
  });
  expect(figures).toEqual({
    "mock, stateless, time per request, ‰ of prism mock": 50,
    "mock, stateful, time per request, ‰ of prism mock": 50,
    "mock, start, time, ‰ of prism mock": 75,
    "mock, stateless, CPU with 40 times the operations, ‰": 1100,
    "mock, stateful, CPU with 40 times the operations, ‰": 1200,
  });
  expect(Object.keys(figures).every(isOfMock)).toBe(true);
  expect(report).toContain("20 (20–25)");
  expect(report).toMatch(/prism mock +\| +20 µs \| 2\.00 \(2\.00–2\.00\) \| 7\.00/);
});
