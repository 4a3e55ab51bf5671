/** Tables of the report, in Markdown. */
import type { Ratio } from "./rounds.ts";

/** A table: the first row is its head, the first column text and all others figures. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(3, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(" | ")} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(rows[0] ?? []), rule, ...rows.slice(1).map(line)].join("\n");
}

/** How many times as much as a reference, for example `1.08`. */
export function times(ratio: number): string {
  return ratio.toFixed(ratio < 10 ? 2 : 0);
}

/** A ratio with the middle half of its rounds, for example `1.08 (1.02–1.15)`. */
export function timesWithin({ median, quartiles: [low, high] }: Ratio): string {
  return `${times(median)} (${times(low)}–${times(high)})`;
}

/** A count with separators between thousands. */
export function count(value: number): string {
  return value.toLocaleString("en-GB");
}
