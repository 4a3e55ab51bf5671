/** The documented answers of an operation, each as something that can be chosen. */
import type { Answer, Body, Example, Operation } from "../contract/contract.ts";

/** One documented answer, with one of its named examples when it has any. */
export interface Choice {
  answer: Answer;
  body: Body | undefined;
  example: Example | undefined;
}

/** Everything that an operation can answer, in the order of the contract. */
export function choicesOf(operation: Operation): Choice[] {
  return operation.answers.flatMap((answer) => {
    if (answer.bodies.length === 0) return [{ answer, body: undefined, example: undefined }];
    return answer.bodies.flatMap((body): Choice[] =>
      body.examples.length === 0
        ? [{ answer, body, example: undefined }]
        : body.examples.map((example) => ({ answer, body, example })),
    );
  });
}

/** The first documented answer with this P-code or, for an answer without one, this HTTP status. */
export function findChoice(operation: Operation, codeOrStatus: string): Choice | undefined {
  return choicesOf(operation).find((choice) => hasCode(choice, codeOrStatus));
}

/** Whether the choice has this HTTP status or this P-code. */
export function hasCode(choice: Choice, codeOrStatus: string): boolean {
  return String(choice.answer.status) === codeOrStatus || errorCodeOf(choice.example?.value) === codeOrStatus;
}

/** The P-code that a body carries. */
export function errorCodeOf(body: unknown): string | undefined {
  const errorCode = (body as { errorCode?: unknown } | null | undefined)?.errorCode;
  return typeof errorCode === "string" ? errorCode : undefined;
}

/** A list of what can be chosen, in the words of the `Prefer` header. */
export function describeChoices(operation: Operation): string {
  const choices = operation.answers.map(({ status, bodies }) => {
    const names = bodies.flatMap((body) => body.examples.map((example) => example.name));
    return names.length === 0 ? `code=${status}` : `code=${status} with example=${names.join("|")}`;
  });
  return `${choices.join("; ")}.`;
}
