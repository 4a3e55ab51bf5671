/** Which documented answer belongs to a sample, and how the mock is asked for it. */
import type { Answer, Body, Example, Operation } from "../../contract/index.ts";
import type { SampleAnswer } from "./index.ts";

/** A documented answer: one body of it, and one example of that. */
export interface ChosenAnswer {
  answer: Answer;
  body: Body | undefined;
  example: Example | undefined;
}

/**
 * The success that answers a request. Of its examples, the one of the same name as that of the request; without it the one in the
 * same place, where there are as many; otherwise the first.
 *
 * @param request name of the example of the request body; undefined without one.
 * @returns undefined when no success is documented.
 */
export function successOf(operation: Operation, request: string | undefined): ChosenAnswer | undefined {
  const [first] = operation.answers.filter(({ status }) => status < 300).sort((a, b) => a.status - b.status);
  if (first === undefined) return undefined;
  const requests = namesIn(operation.requestBody?.bodies);
  const answers = namesIn(first.bodies);
  const samePlace = answers.length === requests.length ? answers[requests.indexOf(request ?? "")] : undefined;
  const wanted = answers.find((name) => name === request) ?? samePlace ?? answers[0];
  return chosen(first, ({ name }) => name === wanted);
}

function namesIn(bodies: Body[] = []): string[] {
  return bodies.flatMap(({ examples }) => examples.map(({ name }) => name));
}

/**
 * The answer with a P-code, or the one with a status that has no P-code.
 *
 * @throws {Error} when the operation documents no such answer.
 */
export function answerWith(operation: Operation, code: string): ChosenAnswer {
  const answer = operation.answers.find(
    ({ codes, key }) => codes.includes(code) || (key === code && codes.length === 0),
  );
  if (answer === undefined) throw new Error(`${operation.operationId} documents no answer with ${code}.`);
  // The example of a response of which no code is known shows any of them.
  const wanted = code === answer.key ? undefined : code;
  return chosen(answer, ({ value }) => (value as { errorCode?: string } | undefined)?.errorCode === wanted);
}

function chosen(answer: Answer, isWanted: (example: Example) => boolean): ChosenAnswer {
  const [body] = answer.bodies;
  return { answer, body, example: body?.examples.find(isWanted) };
}

/** The value of `Prefer` that makes the mock answer this. */
export function preferenceFor({ answer, example }: ChosenAnswer): string {
  return example === undefined ? `code=${answer.status}` : `code=${answer.status}, example=${example.name}`;
}

export function toSampleAnswer({ answer, body, example }: ChosenAnswer, isFromState: boolean): SampleAnswer {
  return { status: answer.status, mediaType: body?.mediaType, body: example?.value, isFromState };
}
