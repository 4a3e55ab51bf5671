/** The section of the page that lists every P-code, and the errors without one. */
import type { Contract, ErrorCode, Operation } from "../contract/contract.ts";
import { blocks, inline, list, provenanceMark, sentence, table } from "./markdown.ts";
import { adviceNote } from "./operation-notes.ts";
import { schemaPlaces } from "./places.ts";
import { type NoteContext, questionNotes } from "./schema-notes.ts";

/** What the values of `retry` mean; in full in the registry (`extensions.yaml`). */
const retryWords: Record<ErrorCode["retry"], string> = {
  none: "not needed, it is no error",
  never: "no repetition helps",
  "after-change": "the request or the user's state has to change first",
  later: "the same request may succeed after a while",
  unknown: "nobody can tell whether it helps",
};

/** Markdown with a heading for each code, so that each has an address and a place in the search. */
export function describeErrors(contract: Contract, context: NoteContext): string {
  const { operations, errorCodes } = contract;
  return blocks(
    `The ${errorCodes.length} P-codes of this edition. ${adviceNote}`,
    ...errorCodes.map((entry) => describeCode(entry, operations, context)),
    "## Errors without a P-code {% #without-code %}",
    table(["Status", "Meaning", "Operations"], errorsWithoutCode(operations, context)),
    "## Open questions on errors {% #open-questions %}",
    questionNotes(questionsOnErrors(contract), context),
  );
}

function describeCode(entry: ErrorCode, operations: Operation[], context: NoteContext): string {
  const answering = operations.filter(({ answers }) => answers.some(({ codes }) => codes.includes(entry.code)));
  return blocks(
    `## ${entry.code} ${inline(entry.meaning)} {% #${entry.code.toLowerCase()} %}`,
    provenanceMark(entry.provenance),
    list([
      `HTTP status: ${entry.status}`,
      `Retry: ${retryWords[entry.retry]}`,
      `What to do: ${sentence(inline(entry.resolution))}`,
      `Answered by: ${operationList(answering, operations, context)}`,
    ]),
    questionNotes(entry.openQuestions, context),
  );
}

function errorsWithoutCode(operations: Operation[], context: NoteContext): string[][] {
  const kinds = new Map<string, Operation[]>();
  for (const operation of operations) {
    for (const { status, codes, description } of operation.answers) {
      if (status < 400 || codes.length > 0) continue;
      const kind = JSON.stringify([String(status), inline(description)]);
      kinds.set(kind, [...(kinds.get(kind) ?? []), operation]);
    }
  }
  return [...kinds].map(([kind, answering]) => [
    ...(JSON.parse(kind) as string[]),
    operationList(answering, operations, context),
  ]);
}

function operationList(some: Operation[], all: Operation[], { links }: NoteContext): string {
  if (some.length === all.length) return "every operation";
  return some.map(({ operationId }) => links.operation(operationId)).join(", ");
}

/** The questions on bodies of errors, without those of a single code. */
function questionsOnErrors({ document, operations, errorCodes }: Contract): string[] {
  const bodies = operations.flatMap(({ answers }) =>
    answers.flatMap(({ status, bodies }) => (status >= 400 ? bodies : [])),
  );
  const marked = bodies.flatMap(({ schema }) =>
    schemaPlaces(document, schema, "").flatMap(({ questions }) => questions),
  );
  const ofCodes = errorCodes.flatMap(({ openQuestions }) => openQuestions);
  return [...new Set(marked)].filter((id) => !ofCodes.includes(id));
}
