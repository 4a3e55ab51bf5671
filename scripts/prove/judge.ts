import type { Condition } from "./conditions.ts";
import type { Effect, Journey } from "./journey.ts";
import type { Output, Secret } from "./output.ts";
import type { Problem } from "./report.ts";
import type { RunsResult } from "./run-program.ts";

const maxShownLines = 3;

export interface ObservedRun {
  readonly effects: readonly Effect[];
  readonly result: RunsResult;
  readonly output: Output;
  /** Whether the contract permits the program to repeat each call. If so, the program must not report a row as unclear. */
  readonly mayRepeat: boolean;
}

export function problemsOf(
  { expectedEffects, successWord }: Pick<Journey, "expectedEffects" | "successWord">,
  condition: Pick<Condition, "fault" | "prepare">,
  { effects, result, output, mayRepeat }: ObservedRun,
): Problem[] {
  const problems: Problem[] = [];
  if (!result.isFinished) {
    const lines = output.lastLines(maxShownLines);
    const printed = lines.length === 0 ? "It printed nothing." : `Its last lines: ${lines.join(" | ")}`;
    problems.push({ kind: "does-not-finish", seen: `The program ${result.reason}. ${printed}` });
  }
  const successful = effects.filter(({ hasFailed }) => !hasFailed);
  const isReported = (reference: string) => output.unclear.has(reference) || output.failed.has(reference);
  for (const what of new Set([...expectedEffects, ...successful].map((one) => one.what))) {
    const rows = expectedEffects.filter((one) => one.what === what);
    const references = rows.map(({ reference }) => reference);
    const count = successful.filter((effect) => effect.what === what).length;
    if (rows.length === 0) {
      problems.push({ kind: "done-unasked", seen: `${what}: ${successWord} ${times(count)}, and no row asks for it.` });
      continue;
    }
    const row = `${what} (${references.join(", ")})`;
    if (count > rows.length) {
      problems.push({
        kind: "done-twice",
        seen: `${row}: ${successWord} ${times(count)}, and asked for ${times(rows.length)}.`,
      });
    }
    const missing = Math.max(0, rows.length - count);
    const failed = references.filter((reference) => output.failed.has(reference));
    if (failed.length > missing) {
      const seen = `${row}: ${successWord} ${times(count)}, and "failed ${failed.join(", ")}" says that it has not happened.`;
      problems.push({ kind: "reported-wrongly", seen });
    }
    if (missing > references.filter(isReported).length && result.isFinished) {
      const seen =
        rows.length === 1
          ? `not ${successWord}`
          : `${successWord} ${times(count)}, and asked for ${times(rows.length)}`;
      problems.push({
        kind: "not-done-not-reported",
        seen: `${row}: ${seen}, and no line "unclear" or "failed" says so.`,
      });
    }
  }
  // If every response has arrived or every call can be repeated, the program must report no row as unclear, and only impossible rows as failed.
  if ((condition.fault ?? condition.prepare) === undefined || mayRepeat) {
    const why = mayRepeat ? "though its calls can be repeated" : "though no response was lost";
    const unclear = expectedEffects.filter(({ reference }) => output.unclear.has(reference));
    const failed = expectedEffects.filter((one) => !one.cannotSucceed && output.failed.has(one.reference));
    for (const [word, rows] of Object.entries({ unclear, failed })) {
      if (rows.length === 0) continue;
      const references = rows.map(({ reference }) => reference).join(", ");
      problems.push({ kind: "reported-without-reason", seen: `${references}: reported as ${word}, ${why}.` });
    }
  }
  return problems;
}

export function leaksOf({ leaks }: Output, stored: readonly Secret[]): Problem[] {
  const storedProblems = stored.filter(({ mayBeKept }) => !mayBeKept).map(({ name }) => `${name} stands in the state`);
  const printed = [...leaks].map((name) => `${name} was printed`);
  return [...printed, ...storedProblems].map((seen) => ({ kind: "secret-in-the-clear", seen }));
}

function times(count: number): string {
  return count === 1 ? "once" : count === 0 ? "never" : `${count} times`;
}
