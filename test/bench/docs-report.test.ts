import { expect, it } from "vitest";
import { isOfDocs, reportDocs, sizesOf } from "../../scripts/bench/docs-report.ts";

const noise = (length: number) => Array.from({ length }, (_, index) => Math.sin(index)).join();

it("weighs pages, what they share, and the single page", () => {
  const files = {
    "latest/index.html": noise(10),
    "latest/errors/P1.html": noise(1000),
    "test/index.html": noise(20),
    "assets/site.css": noise(5),
    "latest/openapi.yaml": noise(5000),
  };
  const sizes = sizesOf(files, { "latest/single-page/index.html": noise(3000) });
  expect(sizes).toMatchObject({ pages: 3, largestPath: "latest/errors/P1.html" });
  expect(sizes.medianPage).toBeLessThan(sizes.largestPage);
  expect(sizes.largestPage).toBeLessThan(sizes.singlePage);
  expect(sizes.shared).toBeGreaterThan(0);
});

it("shows every measurement, and gives the sizes as figures with budgets", () => {
  const page = { requests: 4, bytes: 18_000, firstPaint: 400.4, largestPaint: 500, longestTask: 0, longTasks: 0 };
  const { report, figures } = reportDocs({
    times: [{ what: "pages", first: 3000, median: 1500, cpu: 1400 }],
    sizes: {
      pages: 3,
      medianPage: 4000,
      largestPage: 9000,
      largestPath: "a.html",
      shared: 12_000,
      singlePage: 700_000,
    },
    pages: [
      { name: "home", ...page },
      { name: "single page", ...page, longestTask: 1200, longTasks: 2700 },
    ],
    lighthouse: [{ name: "home", performance: 1, accessibility: 0.98, "best-practices": 1, seo: Number.NaN }],
    search: { cold: 300, times: [{ words: "P459", elapsed: 20, count: 3, first: "P459 User not verified" }] },
    machine: { cores: 2, load: [0.5, 1.25] },
  });
  expect(figures).toEqual({
    "docs, largest page, bytes compressed": 9000,
    "docs, shared files, bytes compressed": 12_000,
  });
  expect(Object.keys(figures).every(isOfDocs)).toBe(true);
  expect(report).toContain("Load of the machine (2 cores): 0.5 before, 1.3 after.");
  expect(report).toMatch(/pages +\| +3,000 ms \| +1,500 ms \| +1,400 ms/);
  expect(report).toMatch(/home +\| +4 \| +18,000 B \| +400 ms \| +500 ms \| +none \| +none \|/);
  expect(report).toMatch(/single page +\|.*1,200 ms \| +2,700 ms/);
  expect(report).toMatch(/home +\| +1\.00 \| +0\.98 \| +1\.00 \| +– \|/);
  expect(report).toMatch(/P459 +\| +20 ms \| +3 \| P459 User not verified \|/);
});
