/** What the answers of an operation rest on: the mark `proposed`, and questions that nobody has answered. */
import type { Answer, Contract, Operation, Place } from "../contract/index.ts";

/** What it rests on, by status and by P-code; what the operation itself rests on is part of each. */
export function assumesOf(operation: Operation, { errorCodes }: Contract): Record<string, string[]> {
  const own = marksAt(operation.place);
  const entries = operation.answers.flatMap((answer): [string, string[]][] => {
    const ofAnswer = [...own, ...marksOf(answer)];
    const ofCodes = answer.codeRefs.map(({ code, place }): [string, string[]] => {
      const error = errorCodes.find((candidate) => candidate.code === code);
      return [code, [...ofAnswer, ...marksAt(place), ...(error === undefined ? [] : marksAt(error.place))]];
    });
    return [[answer.key, ofAnswer], ...ofCodes];
  });
  const marked = entries.filter(([, marks]) => marks.length > 0);
  return Object.fromEntries(marked.map(([key, marks]) => [key, [...new Set(marks)].sort()]));
}

/** Those of the answer and of the schema of its body. */
function marksOf({ place, bodies }: Answer): string[] {
  return [...marksAt(place), ...marksAt(place.target), ...bodies.flatMap(({ schema }) => marksAt(schema))];
}

function marksAt(place: Place): string[] {
  const isProposed = place.own("x-provenance").value === "proposed";
  const questions = place
    .own("x-open-questions")
    .items()
    .map(({ value }) => String(value));
  return [...(isProposed ? ["proposed"] : []), ...questions];
}
