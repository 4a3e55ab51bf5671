import type { Condition } from "./conditions.ts";
import type { Effect, Journey } from "./journey.ts";
import type { Output, Secret } from "./output.ts";
import type { Problem } from "./report.ts";
import type { RunsResult } from "./run-program.ts";

export interface ObservedRun {
  readonly effects: readonly Effect[];
  readonly result: RunsResult;
  readonly output: Output;
  /** Whether the contract permits the program to repeat each call. If so, the program must not report a row as unclear. */
  readonly mayRepeat: boolean;
}

type Requirements = Pick<Journey, "expectedEffects" | "successWord">;

export function problemsOf(
  requirements: Requirements,
  condition: Pick<Condition, "fault" | "prepare">,
  run: ObservedRun,
): Problem[] {
  const successfulEffects = run.effects.filter(({ hasFailed }) => !hasFailed);
  const descriptions = [...requirements.expectedEffects, ...successfulEffects].map(({ description }) => description);
  return [
    ...judgeEnd(run.result),
    ...[...new Set(descriptions)].flatMap((description) => judgeRow(description, requirements, run)),
    ...judgeReports(requirements, condition, run),
  ];
}

function judgeEnd({ isFinished, reason, lastLines }: RunsResult): Problem[] {
  if (isFinished) return [];
  const printedText = lastLines.length === 0 ? "It printed nothing." : `Its last lines: ${lastLines.join(" | ")}`;
  return [{ kind: "does-not-finish", seen: `The program ${reason}. ${printedText}` }];
}

function judgeRow(
  description: string,
  { expectedEffects, successWord }: Requirements,
  { effects, result, output }: ObservedRun,
): Problem[] {
  const rows = expectedEffects.filter((expectedEffect) => expectedEffect.description === description);
  const count = effects.filter((effect) => !effect.hasFailed && effect.description === description).length;
  const doneText = `${successWord} ${formatCount(count)}`;
  if (rows.length === 0)
    return [{ kind: "done-unasked", seen: `${description}: ${doneText}, and no row asks for it.` }];
  const references = rows.map(({ reference }) => reference);
  const failedReferences = references.filter((reference) => output.failedReferences.has(reference));
  const unclearReferences = references.filter((reference) => output.unclearReferences.has(reference));
  const reportedReferences = new Set([...failedReferences, ...unclearReferences]);
  const missingCount = Math.max(0, rows.length - count);
  const rowText = `${description} (${references.join(", ")})`;
  const doneAndAskedText = `${doneText}, and asked for ${formatCount(rows.length)}`;
  const problems: Problem[] = [];
  if (count > rows.length) problems.push({ kind: "done-twice", seen: `${rowText}: ${doneAndAskedText}.` });
  if (failedReferences.length > missingCount) {
    const seen = `${rowText}: ${doneText}, and "failed ${failedReferences.join(", ")}" says that it has not happened.`;
    problems.push({ kind: "reported-wrongly", seen });
  }
  if (missingCount > reportedReferences.size && result.isFinished) {
    const missingText = rows.length === 1 ? `not ${successWord}` : doneAndAskedText;
    problems.push({
      kind: "not-done-not-reported",
      seen: `${rowText}: ${missingText}, and no line "unclear" or "failed" says so.`,
    });
  }
  return problems;
}

/**
 * If every response has arrived or every call can be repeated, the program must report no row as unclear, and only impossible rows as
 * failed.
 */
function judgeReports(
  { expectedEffects }: Requirements,
  { fault, prepare }: Pick<Condition, "fault" | "prepare">,
  { output, mayRepeat }: ObservedRun,
): Problem[] {
  const mayBeUncertain = (fault ?? prepare) !== undefined && !mayRepeat;
  if (mayBeUncertain) return [];
  const reason = mayRepeat ? "though its calls can be repeated" : "though no response was lost";
  const rowsByWord = {
    unclear: expectedEffects.filter(({ reference }) => output.unclearReferences.has(reference)),
    failed: expectedEffects.filter(
      ({ reference, cannotSucceed }) => !cannotSucceed && output.failedReferences.has(reference),
    ),
  };
  return Object.entries(rowsByWord).flatMap(([word, rows]) => {
    if (rows.length === 0) return [];
    const references = rows.map(({ reference }) => reference).join(", ");
    return [{ kind: "reported-without-reason", seen: `${references}: reported as ${word}, ${reason}.` }];
  });
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
