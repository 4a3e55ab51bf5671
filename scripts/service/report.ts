/** A repeated difference is listed once, with its count. */
import { escapeControls, junitReport } from "../base/index.ts";
import { type Change, changeLines } from "./caller.ts";
import type { Drift } from "./judge.ts";

/** Maximum number of listed differences, and of listed additional fields, for each operation. Of further ones, only differences are counted. */
const maxDifferences = 100;

export type ReportFormat = "text" | "json" | "junit";

export interface SeenCall {
  /** Whether the response had each documented field, by its pointer. */
  readonly fields: ReadonlyMap<string, boolean>;
  readonly milliseconds: number;
}

const maxNeverSeenListed = 8;

type Entry = Drift & { count: number };

export class Report {
  readonly #entries = new Map<string, Entry>();
  readonly #callCounts = new Map<string, number>();
  readonly #skipReasons = new Map<string, string>();
  readonly #differenceCounts = new Map<string, number>();
  readonly #fields = new Map<string, Map<string, boolean>>();
  readonly #durations: number[] = [];
  #leftOutCount = 0;
  #changes: readonly Change[] = [];

  /**
   * Adds the differences found in a call.
   *
   * @param operationId undefined if the contract has no operation for the call, or no call was made.
   * @returns the differences that are listed for the first time.
   */
  add(operationId: string | undefined, drift: readonly Drift[], seen: Partial<SeenCall> = {}): Drift[] {
    if (operationId !== undefined) this.#countCall(operationId, seen.fields);
    if (seen.milliseconds !== undefined) this.#durations.push(seen.milliseconds);
    const newDrift: Drift[] = [];
    for (const candidate of drift) {
      const key = keyOf(candidate);
      const entry = this.#entries.get(key);
      if (entry !== undefined) entry.count += 1;
      else if (this.#countDifference(candidate) > maxDifferences) this.#leftOutCount += isAddition(candidate) ? 0 : 1;
      else {
        this.#entries.set(key, { ...candidate, count: 1 });
        newDrift.push(candidate);
      }
    }
    return newDrift;
  }

  #countCall(operationId: string, seenFields: SeenCall["fields"] = new Map()): void {
    this.#callCounts.set(operationId, (this.#callCounts.get(operationId) ?? 0) + 1);
    const fields = this.#fields.get(operationId) ?? new Map<string, boolean>();
    for (const [pointer, isPresent] of seenFields) fields.set(pointer, isPresent || fields.get(pointer) === true);
    this.#fields.set(operationId, fields);
  }

  /** Counts the differences of each operation and its additional fields separately, so that many of one kind do not hide the others. */
  #countDifference(drift: Drift): number {
    const subject = `${subjectOf(drift)} ${isAddition(drift)}`;
    const count = (this.#differenceCounts.get(subject) ?? 0) + 1;
    this.#differenceCounts.set(subject, count);
    return count;
  }

  /** Records why an operation was not compared, or why its response shows too little: for example, it is an error or an empty list. */
  skip(operationId: string, reason: string): void {
    this.#skipReasons.set(operationId, reason);
  }

  setChanges(changes: readonly Change[]): void {
    this.#changes = changes;
  }

  /** The differences, except {@link #additions}. */
  get drift(): readonly Entry[] {
    return [...this.#entries.values()].filter((entry) => !isAddition(entry));
  }

  /** Additional fields in responses affect no client. */
  get #additions(): readonly Entry[] {
    return [...this.#entries.values()].filter(isAddition);
  }

  format(format: ReportFormat): string {
    if (format === "json") {
      const [skipped, neverSeen] = [this.#skipReasons, this.#neverSeen()].map((entries) => Object.fromEntries(entries));
      const report = {
        ...this.#counts(),
        drift: this.drift,
        additions: this.#additions,
        skipped,
        neverSeen,
        responseTimes: this.#responseTimes(),
        changes: this.#changes,
      };
      return JSON.stringify(report, null, 2);
    }
    return format === "junit" ? this.#junit() : this.#text();
  }

  #counts() {
    const calls = [...this.#callCounts.values()].reduce((sum, count) => sum + count, 0);
    return {
      calls,
      operations: this.#callCounts.size,
      places: this.drift.length + this.#leftOutCount,
      leftOut: this.#leftOutCount,
    };
  }

  /** The fields that no response of an operation contained, without the fields inside a missing field. */
  #neverSeen(): [operationId: string, pointers: string[]][] {
    return [...this.#fields].flatMap(([operationId, fields]): [string, string[]][] => {
      const missingPointers = [...fields].flatMap(([pointer, isPresent]) => {
        const parentPointer = pointer.slice(0, pointer.lastIndexOf("/"));
        return isPresent || fields.get(parentPointer) === false ? [] : [pointer];
      });
      return missingPointers.length === 0 ? [] : [[operationId, missingPointers]];
    });
  }

  #responseTimes(): { p50: number; p95: number } | undefined {
    const sortedDurations = this.#durations.toSorted((a, b) => a - b);
    const percentile = (share: number) =>
      Math.round(sortedDurations[Math.ceil(share * sortedDurations.length) - 1] ?? 0);
    return sortedDurations.length === 0 ? undefined : { p50: percentile(0.5), p95: percentile(0.95) };
  }

  #text(): string {
    return [...this.drift.map((item) => formatDrift(item, item.count)), ...this.#notes()].join("\n");
  }

  /** The lines of the report after the listed differences: notes, and as the last line the summary. */
  #notes(): string[] {
    const { calls, operations, places } = this.#counts();
    const skipped = [...this.#skipReasons].map(([name, reason]) => `  not compared: ${name}, ${reason}`);
    const differenceText =
      places === 0 ? "Nothing differs" : places === 1 ? "1 place differs" : `${places} places differ`;
    const callsText = calls === 0 ? "" : `; calls: ${calls}, operations: ${operations}`;
    const neverSeenLines = this.#neverSeen().map(([name, pointers]) => {
      const hiddenCount = pointers.length - maxNeverSeenListed;
      return `  never seen: ${name} ${pointers.slice(0, maxNeverSeenListed).join(", ")}${hiddenCount > 0 ? ` and ${hiddenCount} more` : ""}`;
    });
    const responseTimes = this.#responseTimes();
    const timesText =
      responseTimes === undefined ? "" : `; response times: p50 ${responseTimes.p50} ms, p95 ${responseTimes.p95} ms`;
    const linesOfChanges = changeLines(this.#changes).map((line) => `  changed and not reverted: ${line}`);
    const leftOutLines = this.#leftOutCount === 0 ? [] : [`${this.#leftOutCount} more were left out.`];
    return [
      ...leftOutLines,
      ...this.#additions.map((addition) => `  ${formatDrift(addition, addition.count)}`),
      ...skipped,
      ...neverSeenLines,
      ...linesOfChanges,
      `${differenceText} from the contract${callsText}${timesText}.`,
    ];
  }

  #junit(): string {
    const names = [...new Set([...this.#callCounts.keys(), ...this.drift.map(subjectOf), ...this.#skipReasons.keys()])];
    const cases = names.map((name) => {
      const caseDrift = this.drift.filter((candidate) => subjectOf(candidate) === name);
      const text = caseDrift.map((item) => formatDrift(item, item.count)).join("\n");
      const failure =
        caseDrift.length === 0 ? undefined : { type: "drift", message: `${caseDrift.length} differ`, text };
      return { classname: "contract", name, failure, skipReason: this.#skipReasons.get(name) };
    });
    const suite = { name: "service against contract", packageName: "partner-wallet-api" };
    return junitReport(suite, cases, { output: this.#notes().join("\n") });
  }
}

function subjectOf({ operationId, webhook }: Drift): string {
  return operationId ?? webhook ?? "unknown path";
}

const isAddition = (drift: Drift): boolean => drift.side === "response" && drift.isAddition === true;

/** Ignores the indices in the pointer, because all items of a list count as one. */
function keyOf(drift: Drift): string {
  const { side, status, rule, pointer } = drift;
  const location = pointer.replace(/\/\d+(?=\/|$)/g, "/0");
  const problem = drift.side === "request" && drift.problem;
  return [side, subjectOf(drift), status, rule, isAddition(drift), location, problem].join(" ");
}

export function formatDrift(drift: Drift, count = 1): string {
  const { side, status, rule, pointer, question } = drift;
  const place = [side === "request" ? side : status, rule === "header" ? "" : pointer];
  const subject = [subjectOf(drift), ...place].filter((part) => part !== "" && part !== undefined).join(" ");
  const notes = `${count > 1 ? ` (${count} times)` : ""}${question === undefined ? "" : ` [${question}]`}`;
  const kind = isAddition(drift) ? "not in the contract: " : "";
  return escapeControls(`${kind}${subject}: ${differenceText(drift)}${notes}`);
}

function differenceText(drift: Drift): string {
  if (drift.side === "request") return drift.problem;
  const { rule, expected, seen } = drift;
  return [rule, expected && `expected ${expected}`, seen && `seen ${seen}`].filter(Boolean).join(", ");
}
