/** Compares the expected effects with the records of the mock. */
import type { Condition } from "./conditions.ts";
import type { Effect, Journey } from "./journey.ts";
import type { Output } from "./output.ts";
import type { Problem } from "./report.ts";
import type { RunsEnded } from "./run-program.ts";

/** Number of output lines that a finding quotes. */
const shownLines = 3;

/**
 * The problems after a run.
 *
 * @param effects the effects of the program.
 * @param ended how its runs ended.
 * @param output its statements about payments.
 */
export function problemsOf(
  { wanted, done }: Pick<Journey, "wanted" | "done">,
  condition: Pick<Condition, "fault">,
  { effects, ended, output }: { effects: readonly Effect[]; ended: RunsEnded; output: Output },
): Problem[] {
  const problems: Problem[] = [];
  if (!ended.isFinished) {
    const lines = output.lastLines(shownLines);
    const said = lines.length === 0 ? "It printed nothing." : `Its last lines: ${lines.join(" | ")}`;
    problems.push({ kind: "does-not-finish", seen: `The program ${ended.reason}. ${said}` });
  }
  const stands = effects.filter(({ hasFailed }) => !hasFailed);
  const reported = (reference: string) => output.unclear.has(reference) || output.failed.has(reference);
  for (const what of new Set([...wanted, ...stands].map((one) => one.what))) {
    const same = wanted.filter((one) => one.what === what);
    const references = same.map(({ reference }) => reference);
    const count = stands.filter((effect) => effect.what === what).length;
    if (count > same.length) {
      const times = same.length === 0 ? "though no row asks for it" : `${count} times, and ${same.length} wanted`;
      problems.push({ kind: "paid-twice", seen: `${what}${named(references)} ${done} ${times}.` });
    }
    const missing = same.length - count;
    const failed = references.filter((reference) => output.failed.has(reference));
    if (failed.length > Math.max(0, missing)) {
      const seen = `${what}${named(references)} ${done}, and "failed ${failed.join(", ")}" says that it has not happened.`;
      problems.push({ kind: "reported-wrongly", seen });
    }
    if (missing > references.filter(reported).length && ended.isFinished) {
      const times = same.length === 1 ? "not" : `${count} times, and ${same.length} wanted`;
      const seen = `${what}${named(references)} ${done} ${times}, and no line "unclear" or "failed" says so.`;
      problems.push({ kind: "not-paid-not-reported", seen });
    }
  }
  // Without a fault, every response has arrived, so nothing may be reported as unclear.
  const unfounded = wanted.filter(({ reference }) => condition.fault === undefined && output.unclear.has(reference));
  if (unfounded.length > 0) {
    const references = unfounded.map(({ reference }) => reference).join(", ");
    problems.push({
      kind: "reported-without-reason",
      seen: `${references}: called unclear, though no response was lost.`,
    });
  }
  return problems;
}

function named(references: readonly string[]): string {
  return references.length === 0 ? "" : ` (${references.join(", ")})`;
}
