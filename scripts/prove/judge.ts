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
    const printedText = lines.length === 0 ? "It printed nothing." : `Its last lines: ${lines.join(" | ")}`;
    problems.push({ kind: "does-not-finish", seen: `The program ${result.reason}. ${printedText}` });
  }
  const successfulEffects = effects.filter(({ hasFailed }) => !hasFailed);
  const isReported = (reference: string) =>
    output.unclearReferences.has(reference) || output.failedReferences.has(reference);
  for (const description of new Set([...expectedEffects, ...successfulEffects].map((item) => item.description))) {
    const rows = expectedEffects.filter((expectedEffect) => expectedEffect.description === description);
    const references = rows.map(({ reference }) => reference);
    const count = successfulEffects.filter((effect) => effect.description === description).length;
    if (rows.length === 0) {
      problems.push({
        kind: "done-unasked",
        seen: `${description}: ${successWord} ${formatCount(count)}, and no row asks for it.`,
      });
      continue;
    }
    const row = `${description} (${references.join(", ")})`;
    if (count > rows.length) {
      problems.push({
        kind: "done-twice",
        seen: `${row}: ${successWord} ${formatCount(count)}, and asked for ${formatCount(rows.length)}.`,
      });
    }
    const missingCount = Math.max(0, rows.length - count);
    const failedReferences = references.filter((reference) => output.failedReferences.has(reference));
    if (failedReferences.length > missingCount) {
      const seen = `${row}: ${successWord} ${formatCount(count)}, and "failed ${failedReferences.join(", ")}" says that it has not happened.`;
      problems.push({ kind: "reported-wrongly", seen });
    }
    if (missingCount > references.filter(isReported).length && result.isFinished) {
      const seen =
        rows.length === 1
          ? `not ${successWord}`
          : `${successWord} ${formatCount(count)}, and asked for ${formatCount(rows.length)}`;
      problems.push({
        kind: "not-done-not-reported",
        seen: `${row}: ${seen}, and no line "unclear" or "failed" says so.`,
      });
    }
  }
  // If every response has arrived or every call can be repeated, the program must report no row as unclear, and only impossible rows as failed.
  if ((condition.fault ?? condition.prepare) === undefined || mayRepeat) {
    const reason = mayRepeat ? "though its calls can be repeated" : "though no response was lost";
    const unclear = expectedEffects.filter(({ reference }) => output.unclearReferences.has(reference));
    const failed = expectedEffects.filter(
      (expectedEffect) => !expectedEffect.cannotSucceed && output.failedReferences.has(expectedEffect.reference),
    );
    for (const [word, rows] of Object.entries({ unclear, failed })) {
      if (rows.length === 0) continue;
      const references = rows.map(({ reference }) => reference).join(", ");
      problems.push({ kind: "reported-without-reason", seen: `${references}: reported as ${word}, ${reason}.` });
    }
  }
  return problems;
}

export function leaksOf({ leaks }: Output, storedSecrets: readonly Secret[]): Problem[] {
  const storedProblems = storedSecrets
    .filter(({ mayBeKept }) => !mayBeKept)
    .map(({ name }) => `${name} stands in the state`);
  const leakTexts = [...leaks].map((name) => `${name} was printed`);
  return [...leakTexts, ...storedProblems].map((seen) => ({ kind: "secret-in-the-clear", seen }));
}

function formatCount(count: number): string {
  return count === 1 ? "once" : count === 0 ? "never" : `${count} times`;
}
