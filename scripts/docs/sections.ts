/** The sections of a page that belong to no tag of the contract: all P-codes, and all open questions. */
import {
  type Contract,
  type ErrorAdvice,
  type ErrorCode,
  hasAnyCode,
  type OpenQuestion,
  type OpenQuestions,
  type Operation,
} from "../contract/index.ts";
import { blocks, inline, list, provenanceMark, sentence, table } from "./markdown.ts";
import { markedParts, schemaParts } from "./marked-parts.ts";
import { type NoteContext, questionNotes } from "./notes.ts";
import { adviceNote } from "./operation-notes.ts";

/** What the values of `retry` mean (`x-error` in `openapi/extensions.yaml`). */
const retryWords: Record<ErrorAdvice["retry"], string> = {
  none: "not needed, this is not an error",
  never: "never, a repetition does not help",
  "after-change": "after the request or the state of the user has changed",
  later: "later, the same request may then succeed",
  unknown: "not known to help",
};

/** The section "Errors". Each code has a heading, so that it has an address and is found by the search. */
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
  const returning = operations.filter(({ answers }) => answers.some(({ codes }) => codes.includes(entry.code)));
  return blocks(
    `## ${entry.code} ${inline(entry.meaning)} {% #${entry.code.toLowerCase()} %}`,
    provenanceMark(entry.provenance ?? "proposed"),
    list([
      `HTTP status: ${entry.status}`,
      `Retry: ${retryWords[entry.retry]}`,
      `What to do: ${sentence(inline(entry.resolution))}`,
      `Returned by: ${operationList(returning, operations, context)}`,
    ]),
    questionNotes(entry.openQuestions, context),
  );
}

function errorsWithoutCode(operations: Operation[], context: NoteContext): string[][] {
  const kinds = new Map<string, { cells: string[]; returning: Operation[] }>();
  for (const operation of operations) {
    for (const answer of operation.answers) {
      const { status, codes, description } = answer;
      if (status < 400 || codes.length > 0 || hasAnyCode(answer)) continue;
      const cells = [String(status), inline(description)];
      const kind = kinds.get(cells.join()) ?? { cells, returning: [] };
      kinds.set(cells.join(), { cells, returning: [...kind.returning, operation] });
    }
  }
  return [...kinds.values()].map(({ cells, returning }) => [...cells, operationList(returning, operations, context)]);
}

function operationList(some: Operation[], all: Operation[], { links }: NoteContext): string {
  if (some.length === 0) return "no operation of this edition, as far as is known";
  if (some.length === all.length) return "every operation";
  return some.map(({ operationId }) => links.operation(operationId)).join(", ");
}

/** The questions on error bodies, without those of a single code. */
function questionsOnErrors({ operations, errorCodes }: Contract): string[] {
  const bodies = operations.flatMap(({ answers }) =>
    answers.flatMap(({ status, bodies }) => (status >= 400 ? bodies : [])),
  );
  const marked = bodies.flatMap(({ schema }) => schemaParts(schema, "").flatMap(({ questions }) => questions));
  const ofCodes = errorCodes.flatMap(({ openQuestions }) => openQuestions);
  return [...new Set(marked)].filter((id) => !ofCodes.includes(id));
}

/** The section "Open questions", with a heading for each of the questions. */
export function describeQuestions(questions: OpenQuestions, contract: Contract, context: NoteContext): string {
  const concerned = concernedSubjects(contract, context);
  const entries = Object.entries(questions);
  return blocks(
    `${entries.length} questions on this edition are open: the documents do not answer them, or do not agree. Each comes with what this contract assumes until it is answered.`,
    ...entries.map(([id, entry]) => describeQuestion(id, entry, concerned.get(id) ?? concernedSchemas(id, contract))),
  );
}

function describeQuestion(id: string, entry: OpenQuestion, concerned: string[]): string {
  const statedAs = entry.statedAs === undefined ? "" : `: “${inline(entry.statedAs)}”`;
  return blocks(
    `## ${id} {% #${id.toLowerCase()} %}`,
    `**${inline(entry.question)}**`,
    list([
      `Assumption: ${sentence(inline(entry.assumption))}`,
      `Evidence: ${sentence(inline(entry.evidence))}`,
      `If the answer differs: ${sentence(inline(entry.change))}`,
      `Left open in: ${inline(entry.section)}${statedAs}`,
      `Concerns: ${concerned.length === 0 ? "the interface as a whole" : concerned.join(", ")}`,
    ]),
  );
}

/** For each question, links to the operations and webhooks that it concerns. */
function concernedSubjects({ operations, webhooks }: Contract, { links }: NoteContext): Map<string, string[]> {
  const concerned = new Map<string, string[]>();
  for (const subject of [...operations, ...webhooks]) {
    const ofParts = markedParts(subject).flatMap(({ questions }) => questions);
    for (const id of new Set([...subject.openQuestions, ...ofParts])) {
      concerned.set(id, [...(concerned.get(id) ?? []), links[subject.kind](subject.name)]);
    }
  }
  return concerned;
}

/** The titles of the shared schemas that carry a question, for one that concerns no single operation. */
function concernedSchemas(id: string, { root }: Contract): string[] {
  return root
    .own("components", "schemas")
    .entries()
    .filter(([, schema]) => schemaParts(schema, "", { follow: false }).some(({ questions }) => questions.includes(id)))
    .map(([name, schema]) => inline(String(schema.own("title").value ?? name)));
}
