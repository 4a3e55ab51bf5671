/** The report of `check` and `proxy`: each difference once, as text, JSON or JUnit. */

import { escapeControls, junitReport } from "../contract/messages/index.ts";
import { type Change, changeLines } from "./caller.ts";
import type { Drift } from "./judge.ts";

/** Maximum number of listed differences of an operation; further differences are only counted. */
const maxPlaces = 100;

export type ReportFormat = "text" | "json" | "junit";

export interface SeenCall {
  /** Documented fields as pointers, and whether the response had each. */
  readonly fields: ReadonlyMap<string, boolean>;
  readonly milliseconds: number;
}

const maxNeverSeenListed = 8;

interface Entry extends Drift {
  count: number;
}

export class Report {
  readonly #entries = new Map<string, Entry>();
  readonly #judged = new Map<string, number>();
  readonly #skipped = new Map<string, string>();
  readonly #places = new Map<string, number>();
  readonly #fields = new Map<string, Map<string, boolean>>();
  readonly #times: number[] = [];
  leftOut = 0;
  changes: readonly Change[] = [];

  /** Adds the differences that a call showed. @returns those that no earlier call showed. */
  add(operationId: string, drift: readonly Drift[], seen: Partial<SeenCall> = {}): Drift[] {
    if (operationId !== "") this.#judged.set(operationId, (this.#judged.get(operationId) ?? 0) + 1);
    const fields = this.#fields.get(operationId) ?? new Map<string, boolean>();
    for (const [pointer, isThere] of seen.fields ?? []) fields.set(pointer, isThere || fields.get(pointer) === true);
    this.#fields.set(operationId, fields);
    if (seen.milliseconds !== undefined) this.#times.push(seen.milliseconds);
    return drift.filter((each) => {
      const { side, status, rule, pointer, expected, isAddition = false } = each;
      const place = pointer.replace(/\/\d+(?=\/|$)/g, "/0");
      const subject = subjectOf(each);
      const key = [side, subject, status, rule, isAddition, place, side === "request" && expected].join(" ");
      const known = this.#entries.get(key);
      if (known !== undefined) known.count += 1;
      else if (this.#countPlace(`${subject} ${isAddition}`) > maxPlaces) this.leftOut += isAddition ? 0 : 1;
      else return this.#entries.set(key, { ...each, count: 1 });
      return false;
    });
  }

  /** Counts per operation, so that an operation with many differences does not hide others. */
  #countPlace(subject: string): number {
    const count = (this.#places.get(subject) ?? 0) + 1;
    this.#places.set(subject, count);
    return count;
  }

  /** Records why no successful response of an operation was checked. */
  skip(operationId: string, reason: string): void {
    this.#skipped.set(operationId, reason);
  }

  /** The differences, except {@link #additions}. */
  get drift(): readonly Entry[] {
    return [...this.#entries.values()].filter(({ isAddition }) => isAddition === undefined);
  }

  /** Fields that the contract does not list, and that affect no client. */
  get #additions(): readonly Entry[] {
    return [...this.#entries.values()].filter(({ isAddition }) => isAddition);
  }

  as(format: ReportFormat): string {
    if (format === "json") {
      const [skipped, neverSeen] = [this.#skipped, this.#neverSeen()].map((entries) => Object.fromEntries(entries));
      const { drift, changes } = this;
      const additions = this.#additions;
      const report = {
        ...this.#counts(),
        drift,
        additions,
        skipped,
        neverSeen,
        responseTimes: this.#responseTimes(),
        changes,
      };
      return JSON.stringify(report, null, 2);
    }
    return format === "junit" ? this.#junit() : this.#text();
  }

  #counts() {
    const calls = [...this.#judged.values()].reduce((sum, count) => sum + count, 0);
    return { calls, operations: this.#judged.size, places: this.drift.length + this.leftOut, leftOut: this.leftOut };
  }

  /** Fields that no response of an operation had, without the fields inside a missing field. */
  #neverSeen(): [operationId: string, pointers: string[]][] {
    return [...this.#fields].flatMap(([operationId, fields]): [string, string[]][] => {
      const missing = [...fields].flatMap(([pointer, isThere]) => {
        const outer = pointer.slice(0, pointer.lastIndexOf("/"));
        return isThere || fields.get(outer) === false ? [] : [pointer];
      });
      return missing.length === 0 ? [] : [[operationId, missing]];
    });
  }

  #responseTimes(): { p50: number; p95: number } | undefined {
    const sorted = this.#times.toSorted((one, other) => one - other);
    const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
    return sorted.length === 0 ? undefined : { p50: at(0.5), p95: at(0.95) };
  }

  #text(): string {
    const { calls, operations, places } = this.#counts();
    const skipped = [...this.#skipped].map(([name, reason]) => `  not compared: ${name}, ${reason}`);
    const found = places === 0 ? "Nothing differs" : places === 1 ? "1 place differs" : `${places} places differ`;
    const judged = calls === 0 ? "" : `; calls: ${calls}, operations: ${operations}`;
    const unseen = this.#neverSeen().map(([name, pointers]) => {
      const rest = pointers.length - maxNeverSeenListed;
      return `  never seen: ${name} ${pointers.slice(0, maxNeverSeenListed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
    });
    const times = this.#responseTimes();
    const took = times === undefined ? "" : `; response times: p50 ${times.p50} ms, p95 ${times.p95} ms`;
    const stays = changeLines(this.changes).map((line) => `  changed and not reverted: ${line}`);
    const more = this.leftOut === 0 ? [] : [`${this.leftOut} more were left out.`];
    return [
      ...this.drift.map((each) => lineOf(each, each.count)),
      ...more,
      ...this.#additions.map((each) => `  ${lineOf(each, each.count)}`),
      ...skipped,
      ...unseen,
      ...stays,
      `${found} from the contract${judged}${took}.`,
    ].join("\n");
  }

  #junit(): string {
    const names = [...new Set([...this.#judged.keys(), ...this.drift.map(subjectOf), ...this.#skipped.keys()])];
    const cases = names.map((name) => {
      const found = this.drift.filter((each) => subjectOf(each) === name);
      const text = found.map((each) => lineOf(each, each.count)).join("\n");
      const failure = found.length === 0 ? undefined : { type: "drift", message: `${found.length} differ`, text };
      return { classname: "contract", name, failure, skipped: this.#skipped.get(name) };
    });
    return junitReport("service against contract", cases);
  }
}

function subjectOf({ operationId, webhook }: Drift): string {
  return operationId ?? webhook ?? "unknown path";
}

export function lineOf(drift: Drift, count = 1): string {
  const { side, status, rule, pointer, expected, seen, question, isAddition } = drift;
  const where = [subjectOf(drift), side === "request" ? "request" : status, rule === "header" ? "" : pointer].filter(
    (part) => part !== "" && part !== undefined,
  );
  const what = [expected && `expected ${expected}`, seen && `seen ${seen}`].filter(Boolean).join(", ");
  const found = side === "request" ? expected : `${rule}${what === "" ? "" : `, ${what}`}`;
  const notes = `${count > 1 ? ` (${count} times)` : ""}${question === undefined ? "" : ` [${question}]`}`;
  const kind = isAddition ? "not in the contract: " : "";
  return escapeControls(`${kind}${where.join(" ")}: ${found}${notes}`);
}
