/** What `check` and `proxy` report: each place where service and contract differ, once, as text, JSON or JUnit. */

import { escapeControls, escapeXml } from "../contract/messages/index.ts";
import type { Drift } from "./judge.ts";

/** Places of an operation beyond this number are counted only. */
const mostPlaces = 100;

export type ReportFormat = "text" | "json" | "junit";

interface Entry extends Drift {
  /** How often it was found. */
  count: number;
}

export class Report {
  readonly #entries = new Map<string, Entry>();
  readonly #judged = new Map<string, number>();
  readonly #skipped = new Map<string, string>();
  readonly #places = new Map<string, number>();
  /** Places that were left out. */
  leftOut = 0;

  /** Adds what was found in a call. @returns what is new. */
  add(operationId: string, drift: readonly Drift[]): Drift[] {
    if (operationId !== "") this.#judged.set(operationId, (this.#judged.get(operationId) ?? 0) + 1);
    return drift.filter((each) => {
      const { side, status, rule, pointer, expected } = each;
      const place = pointer.replace(/\/\d+(?=\/|$)/g, "/0");
      const key = [side, each.operationId ?? each.webhook, status, rule, place, side === "request" && expected].join(
        " ",
      );
      const known = this.#entries.get(key);
      if (known !== undefined) known.count += 1;
      else if (this.#countPlace(subjectOf(each)) > mostPlaces) this.leftOut += 1;
      else return this.#entries.set(key, { ...each, count: 1 });
      return false;
    });
  }

  /** So that an operation with a thousand places hides those of no other one. @returns how many the subject has with this one. */
  #countPlace(subject: string): number {
    const count = (this.#places.get(subject) ?? 0) + 1;
    this.#places.set(subject, count);
    return count;
  }

  /** An operation of which no success was judged, and why. */
  skip(operationId: string, reason: string): void {
    this.#skipped.set(operationId, reason);
  }

  get drift(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** The whole report, without a line break at its end. */
  as(format: ReportFormat): string {
    if (format === "json")
      return JSON.stringify(
        { ...this.#counts(), drift: this.drift, skipped: Object.fromEntries(this.#skipped) },
        null,
        2,
      );
    return format === "junit" ? this.#junit() : this.#text();
  }

  #counts() {
    const calls = [...this.#judged.values()].reduce((sum, count) => sum + count, 0);
    return { calls, operations: this.#judged.size, places: this.#entries.size + this.leftOut, leftOut: this.leftOut };
  }

  #text(): string {
    const { calls, operations, places } = this.#counts();
    const skipped = [...this.#skipped].map(([name, reason]) => `  not compared: ${name}, ${reason}`);
    const found = places === 0 ? "Nothing differs" : places === 1 ? "1 place differs" : `${places} places differ`;
    const judged = calls === 0 ? "" : `; calls: ${calls}, operations: ${operations}`;
    const more = this.leftOut === 0 ? [] : [`${this.leftOut} more were left out.`];
    return [
      ...this.drift.map((each) => lineOf(each, each.count)),
      ...more,
      ...skipped,
      `${found} from the contract${judged}.`,
    ].join("\n");
  }

  #junit(): string {
    const names = [...new Set([...this.#judged.keys(), ...this.drift.map(subjectOf), ...this.#skipped.keys()])];
    const cases = names.map((name) => {
      const found = this.drift.filter((each) => subjectOf(each) === name);
      const reason = this.#skipped.get(name);
      const failure =
        found.length === 0
          ? ""
          : `<failure message="${escapeXml(`${found.length} differ`)}">${escapeXml(found.map((each) => lineOf(each, each.count)).join("\n"))}</failure>`;
      return `<testcase classname="contract" name="${escapeXml(name)}">${failure || (reason === undefined ? "" : `<skipped message="${escapeXml(reason)}"/>`)}</testcase>`;
    });
    const failed = new Set(this.drift.map(subjectOf));
    const skipped = [...this.#skipped.keys()].filter((name) => !failed.has(name)).length;
    const totals = `tests="${names.length}" failures="${failed.size}" skipped="${skipped}"`;
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="service against contract" ${totals}>\n${cases.join("\n")}\n</testsuite>`;
  }
}

function subjectOf({ operationId, webhook }: Drift): string {
  return operationId ?? webhook ?? "unknown path";
}

/** A place on one line. */
export function lineOf(drift: Drift, count = 1): string {
  const { side, status, rule, pointer, expected, seen, question } = drift;
  const where = [subjectOf(drift), side === "request" ? "request" : status, rule === "header" ? "" : pointer].filter(
    (part) => part !== "" && part !== undefined,
  );
  const what = `${expected === "" ? "" : `expected ${expected}`}${seen === "" ? "" : `, seen ${seen}`}`.replace(
    /^, /,
    "",
  );
  const found = side === "request" ? expected : `${rule}${what === "" ? "" : `, ${what}`}`;
  const notes = `${count > 1 ? ` (${count} times)` : ""}${question === undefined ? "" : ` [${question}]`}`;
  return escapeControls(`${where.join(" ")}: ${found}${notes}`);
}
