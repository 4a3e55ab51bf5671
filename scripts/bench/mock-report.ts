/** What the report says of the mock, and its figures that have a budget. */
import { type BudgetedReport, count, type Ratio, summarise, table, times, timesWithin } from "./figures.ts";

/** One round of one server. */
export interface Spent {
  /** Time for a request, in microseconds. */
  readonly elapsed: number;
  /** Processor time of the server for a request, in microseconds. */
  readonly cpu: number;
}

/** Milliseconds from the start of the process to its first answer. */
export type Start = Readonly<Record<"mock" | "prism", Ratio>>;

/** The mock and Prism in the same rounds. */
export interface Rates {
  /** Requests per second, in the median. */
  readonly perSecond: { readonly mock: number; readonly prism: number };
  /** Microseconds of processor time for a request, in the median. */
  readonly cpu: { readonly mock: number; readonly prism: number };
  /** How many times as many requests are answered in a second. */
  readonly throughput: Ratio;
  /** How many times as much processor time Prism takes. */
  readonly savedCpu: Ratio;
}

/** What a number of operations does to the processor time for a request. */
export interface BySize {
  /** Microseconds with the contract as it is, in the median. */
  readonly cpu: number;
  /** The others as multiples of that. */
  readonly times: readonly Ratio[];
}

export interface MockMeasurements {
  readonly starts: Start;
  readonly rates: Readonly<Record<"stateless" | "stateful", Rates>>;
  readonly bySize: Readonly<Record<"stateless" | "stateful" | "prism", BySize>>;
  /** How many operations there are, in the order of the sizes. */
  readonly counts: readonly number[];
}

/** Compares rounds of the mock with the same rounds of Prism. */
export function ratesOf(mock: readonly Spent[], prism: readonly Spent[]): Rates {
  const ratio = (of: (spent: Spent) => number) =>
    summarise(prism.map((spent, round) => of(spent) / of(mock[round] as Spent)));
  const median = (rounds: readonly Spent[], of: (spent: Spent) => number) => summarise(rounds.map(of)).median;
  const [elapsed, cpu] = [(spent: Spent) => spent.elapsed, (spent: Spent) => spent.cpu];
  return {
    perSecond: { mock: 1e6 / median(mock, elapsed), prism: 1e6 / median(prism, elapsed) },
    cpu: { mock: median(mock, cpu), prism: median(prism, cpu) },
    throughput: ratio(elapsed),
    savedCpu: ratio(cpu),
  };
}

/** The tables in Markdown, and the figures: ratios of times in thousandths, of which less is better. */
export function reportMock({ starts, rates, bySize, counts }: MockMeasurements): BudgetedReport {
  const { stateless, stateful } = rates;
  const start = starts.mock.median / starts.prism.median;
  const factor = (counts.at(-1) ?? 0) / (counts[0] ?? 0);
  const largest = ({ times: ratios }: BySize) => ratios.at(-1)?.median ?? Number.NaN;
  return {
    report: `${rateTable(rates)}

Requests one at a time on each of 8 connections, from this process; both print a line for each request to /dev/null. Without
state: a read, a balance, a transfer and one that is refused, the same again and again. With state: users who are created, and
transfers between verified users whose balances are read, each answer validated before it leaves; Prism is sent the same and
gives its examples. Ratios are those of the same round: the median, and in brackets the middle half of the rounds.

${startTable(starts)}

From the start of the process to its first answer.

${sizeTable(bySize, counts)}

Processor time for a request: microseconds with the contract as it is, then multiples of it with copies of every path.`,
    figures: {
      [figure("stateless, time per request, ‰ of prism mock")]: perMille(1 / stateless.throughput.median),
      [figure("stateful, time per request, ‰ of prism mock")]: perMille(1 / stateful.throughput.median),
      [figure("start, time, ‰ of prism mock")]: perMille(start),
      [figure(`stateless, CPU with ${factor} times the operations, ‰`)]: perMille(largest(bySize.stateless)),
      [figure(`stateful, CPU with ${factor} times the operations, ‰`)]: perMille(largest(bySize.stateful)),
    },
  };
}

const prefix = "mock, ";

function figure(name: string): string {
  return `${prefix}${name}`;
}

/** Whether a figure is one of the mock, a ratio of times. */
export function isOfMock(name: string): boolean {
  return name.startsWith(prefix);
}

function perMille(ratio: number): number {
  return Math.round(ratio * 1000);
}

function rateTable(rates: MockMeasurements["rates"]): string {
  const rows = Object.entries(rates).map(([mode, { perSecond, cpu, throughput, savedCpu }]) => [
    mode,
    ...[perSecond.mock, perSecond.prism].map((rate) => count(Math.round(rate))),
    timesWithin(throughput),
    ...[cpu.mock, cpu.prism].map((microseconds) => microseconds.toFixed(0)),
    timesWithin(savedCpu),
  ]);
  const head = ["Calls", "mock, requests/s", "prism mock", "times as many", "mock, CPU µs", "prism mock", "times less"];
  return table([head, ...rows]);
}

function startTable({ mock, prism }: Start): string {
  const cell = ({ median, quartiles }: Ratio) =>
    `${median.toFixed(0)} ms (${quartiles.map((quartile) => quartile.toFixed(0)).join("–")})`;
  return table([
    ["Start", "mock", "prism mock", "ratio"],
    ["", cell(mock), cell(prism), times(mock.median / prism.median)],
  ]);
}

function sizeTable({ stateless, stateful, prism }: MockMeasurements["bySize"], counts: readonly number[]): string {
  const row = (name: string, { cpu, times: ratios }: BySize) => [
    name,
    `${cpu.toFixed(0)} µs`,
    ...ratios.map(timesWithin),
  ];
  return table([
    ["Operations", ...counts.map(String)],
    row("mock, stateless", stateless),
    row("mock, stateful", stateful),
    row("prism mock", prism),
  ]);
}
