/** The samples of an operation: one for each named example of its request, and one for each code that it answers. */
import type { Answer, Body, Contract, Example, Operation } from "../../contract/index.ts";
import { type Snippet, snippetsOf, type ToldCode } from "./languages.ts";
import { isAnsweredFromState, requestExamples, requestOf, type SampleRequest } from "./request.ts";

/** What the mock answers to a sample. */
export interface SampleAnswer {
  status: number;
  mediaType: string | undefined;
  /** The documented body; undefined where none is documented. */
  body: unknown;
  /** Whether the mock answers from its state, so that it can tell of another moment than the documented body. */
  isFromState: boolean;
}

/** A call in every language. */
export interface Sample {
  /** Unique among the samples of its operation: the name of an example, or a P-code. */
  name: string;
  title: string;
  /** A remark to be shown above. */
  note: string | undefined;
  snippets: Snippet[];
  answer: SampleAnswer | undefined;
}

interface Sources {
  contract: Contract;
}

const preferNote =
  "The header Prefer is for the mock, which answers this example and changes nothing. The service does not know the header.";
const filesNote = "The files hold a few words in the place of pictures.";

/**
 * The samples of an operation, in the order of the examples; a single one where it has no body. What only reads is answered
 * from the state of the mock, which begins with the scenario. Every other call has the mock answer the documented example: it
 * could not be made twice, and the later ones of the story need the state that the earlier ones leave.
 */
export function operationSamples(operation: Operation, { contract }: Sources): Sample[] {
  return examplesOf(operation).map(({ body, example }) => {
    const plain = requestOf(operation, contract, body, example);
    const success = successOf(operation, example?.name);
    const isFromState = isAnsweredFromState(operation);
    const prefer = isFromState || success === undefined ? undefined : preferenceFor(success);
    const request = { ...plain, prefer };
    return {
      name: example?.name ?? operation.operationId,
      title: example?.summary ?? operation.summary,
      note: noteOf(request, preferNote),
      snippets: snippetsOf(request, ownCodes(operation, contract)),
      answer: success && toSampleAnswer(success, isFromState),
    };
  });
}

/**
 * The sample that has the mock answer a code.
 *
 * @param code a P-code that the operation documents, or the status of a documented answer without a P-code, such as "401".
 * @throws {Error} when the operation documents no such answer.
 */
export function codeSample(operation: Operation, code: string, { contract }: Sources): Sample {
  const answer = answerWith(operation, code);
  const [{ body, example } = {}] = examplesOf(operation);
  const request = { ...requestOf(operation, contract, body, example), prefer: preferenceFor(answer) };
  const meaning = meaningOf(code, contract) ?? messageOf(answer) ?? answer.answer.description;
  return {
    name: code,
    title: `Provoke ${code}: ${meaning}`,
    note: noteOf(
      request,
      `The header Prefer makes the mock answer ${code}, whatever is sent. The service does not know the header.`,
    ),
    snippets: snippetsOf(request, { code, status: answer.answer.status, meaning }),
    answer: toSampleAnswer(answer, false),
  };
}

/** One without a body where there are none. */
function examplesOf(operation: Operation): { body?: Body; example?: Example }[] {
  const examples = requestExamples(operation);
  return examples.length === 0 ? [{}] : examples;
}

function noteOf({ prefer, files }: SampleRequest, whyPrefer: string): string | undefined {
  const sentences = [...(prefer === undefined ? [] : [whyPrefer]), ...(files === undefined ? [] : [filesNote])];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

/** A sample tells this many codes apart from the others. */
const mostCodes = 2;
/** A code that this part of all operations answers, such as P500, tells nothing of a single one. */
const generalShare = 0.75;

/** The codes of failures that the fewest other operations answer. */
function ownCodes(operation: Operation, contract: Contract): ToldCode[] {
  const withCodes = contract.operations.filter(({ answers }) => answers.some(({ codes }) => codes.length > 0));
  const uses = (code: string) =>
    withCodes.filter(({ answers }) => answers.some(({ codes }) => codes.includes(code))).length;
  return operation.answers
    .filter(({ status }) => status >= 400)
    .flatMap(({ codes }) => codes)
    .map((code) => ({ code, meaning: meaningOf(code, contract) ?? "", uses: uses(code) }))
    .filter((own) => own.uses < withCodes.length * generalShare)
    .sort((a, b) => a.uses - b.uses)
    .slice(0, mostCodes);
}

function meaningOf(code: string, { errorCodes }: Contract): string | undefined {
  return errorCodes.find((error) => error.code === code)?.meaning;
}

function messageOf({ example }: ChosenAnswer): string | undefined {
  return (example?.value as { errorMessage?: string } | undefined)?.errorMessage;
}

/** A documented answer: one body of it, and one example of that. */
interface ChosenAnswer {
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
function successOf(operation: Operation, request: string | undefined): ChosenAnswer | undefined {
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

function toSampleAnswer({ answer, body, example }: ChosenAnswer, isFromState: boolean): SampleAnswer {
  return { status: answer.status, mediaType: body?.mediaType, body: example?.value, isFromState };
}
