/** The figures of the reference site as tables in Markdown. */
import { gzipSync } from "node:zlib";
import type { SiteFiles } from "../docs/index.ts";
import type { PageFigures } from "./docs-browser.ts";
import { categories, type Scores } from "./docs-lighthouse.ts";
import type { SearchTimes } from "./docs-search.ts";
import { type BudgetedReport, count, summarise, table } from "./figures.ts";

/** Milliseconds for both editions. */
export interface BuildTime {
  what: string;
  first: number;
  median: number;
  /** Of the processor, in this process: the median, which other work of the machine disturbs less. */
  cpu: number;
}

/** Bytes with gzip. */
export interface SiteSizes {
  pages: number;
  medianPage: number;
  largestPage: number;
  largestPath: string;
  /** What all pages load: style sheet, script, icon. */
  shared: number;
  /** Of the edition latest. */
  singlePage: number;
}

export interface DocsFigures {
  times: readonly BuildTime[];
  sizes: SiteSizes;
  pages: readonly PageFigures[];
  lighthouse: readonly Scores[];
  search: SearchTimes;
  /** The average load of the last minute, before and after. */
  machine: { cores: number; load: readonly [number, number] };
}

const prefix = "docs, ";

/** Whether a budget is one of the docs. */
export function isOfDocs(name: string): boolean {
  return name.startsWith(prefix);
}

/** Weighs the files of the site, and the single page. */
export function sizesOf(files: SiteFiles, single: SiteFiles): SiteSizes {
  const sizeOf = (content: string | Uint8Array | undefined) => gzipSync(content ?? "", { level: 9 }).length;
  const pages = Object.keys(files)
    .filter((path) => path.endsWith(".html"))
    .map((path) => ({ path, size: sizeOf(files[path]) }))
    .sort((a, b) => b.size - a.size);
  const shared = Object.entries(files).filter(([path]) => path.startsWith("assets/"));
  return {
    pages: pages.length,
    medianPage: summarise(pages.map(({ size }) => size)).median,
    largestPage: pages[0]?.size ?? 0,
    largestPath: pages[0]?.path ?? "",
    shared: shared.reduce((sum, [, content]) => sum + sizeOf(content), 0),
    singlePage: sizeOf(single["latest/single-page/index.html"]),
  };
}

/** Formats everything. The sizes have budgets; times and scores depend on the machine. */
export function reportDocs({ times, sizes, pages, lighthouse, search, machine }: DocsFigures): BudgetedReport {
  const ms = (value: number) => (Number.isNaN(value) ? "–" : `${count(Math.round(value))} ms`);
  const bytes = (value: number) => `${count(value)} B`;
  const [before, after] = machine.load.map((load) => load.toFixed(1));
  const slowest = Math.max(...search.times.map(({ elapsed }) => elapsed));
  const median = summarise(search.times.map(({ elapsed }) => elapsed)).median;
  const sections = [
    `Load of the machine (${machine.cores} cores): ${before} before, ${after} after.`,
    table([
      ["Build of both editions", "first", "median", "processor"],
      ...times.map(({ what, first, median: usual, cpu }) => [what, ms(first), ms(usual), ms(cpu)]),
    ]),
    table([
      ["Size with gzip", "bytes"],
      [`median of ${sizes.pages} pages`, bytes(sizes.medianPage)],
      [`largest page, ${sizes.largestPath}`, bytes(sizes.largestPage)],
      ["shared by all pages", bytes(sizes.shared)],
      ["single page of Redocly, latest", bytes(sizes.singlePage)],
    ]),
    table([
      ["Page, CPU 4 times slower", "requests", "transferred", "FCP", "LCP", "longest task", "long tasks"],
      ...pages.map((page) => [
        page.name,
        String(page.requests),
        bytes(page.bytes),
        ms(page.firstPaint),
        ms(page.largestPaint),
        page.longestTask === 0 ? "none" : ms(page.longestTask),
        page.longTasks === 0 ? "none" : ms(page.longTasks),
      ]),
    ]),
    table([
      ["Lighthouse, phone", ...categories],
      ...lighthouse.map((scores) => [scores.name, ...categories.map((category) => formatScore(scores[category]))]),
    ]),
    table([
      [`Search, median ${ms(median)}, slowest ${ms(slowest)}`, "results after", "shown", "first"],
      ["the index being loaded", ms(search.cold), "", ""],
      ...search.times.map(({ words, elapsed, count: shown, first }) => [words, ms(elapsed), String(shown), first]),
    ]),
  ];
  return {
    report: sections.join("\n\n"),
    figures: {
      [`${prefix}largest page, bytes compressed`]: sizes.largestPage,
      [`${prefix}shared files, bytes compressed`]: sizes.shared,
    },
  };
}

function formatScore(score: number): string {
  return Number.isNaN(score) ? "–" : score.toFixed(2);
}
