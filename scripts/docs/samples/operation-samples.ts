/** The samples of an operation: one for each named example of its request, and one for each code that it answers. */
import type { Body, Contract, Example, Operation } from "../../contract/index.ts";
import { answerWith, type ChosenAnswer, preferenceFor, successOf, toSampleAnswer } from "./answers.ts";
import { curlSnippet } from "./curl.ts";
import { fetchSnippet, provokingFetchSnippet } from "./fetch.ts";
import type { Sample, SampleContext } from "./index.ts";
import { pathParameters } from "./linked-parameters.ts";
import { exampleParameters, filesOf, isAnsweredFromState, type SampleRequest } from "./request.ts";
import { clientSnippet, provokingClientSnippet, type ToldCode } from "./typescript.ts";

const preferNote =
  "The header Prefer is for the mock, which answers this example and changes nothing. The service does not know the header. Without it, the mock does what the call says.";
const filesNote = "The files hold a few words in the place of pictures.";

/**
 * The samples of an operation, in the order of the examples; a single one where it has no body. What only reads is answered
 * from the state of the mock, which begins with the scenario. Every other call has the mock answer the documented example: it
 * could not be made twice, and the later ones of the story need the state that the earlier ones leave.
 */
export function operationSamples(operation: Operation, context: SampleContext): Sample[] {
  return requestExamples(operation).map(({ body, example }) => {
    const plain = toRequest(operation, context, body, example);
    const success = successOf(operation, example?.name);
    const isFromState = isAnsweredFromState(operation);
    const prefer = isFromState || success === undefined ? undefined : preferenceFor(success);
    const request = { ...plain, prefer };
    return {
      name: example?.name ?? operation.operationId,
      title: example?.summary ?? operation.summary,
      note: noteOf(request, preferNote),
      snippets: [
        curlSnippet(request),
        clientSnippet(request, ownCodes(operation, context.contract)),
        fetchSnippet(request),
      ],
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
export function codeSample(operation: Operation, code: string, context: SampleContext): Sample {
  const answer = answerWith(operation, code);
  const [{ body, example } = {}] = requestExamples(operation);
  const request = { ...toRequest(operation, context, body, example), prefer: preferenceFor(answer) };
  const meaning = meaningOf(code, context.contract) ?? messageOf(answer) ?? answer.answer.description;
  const provoked = { code, status: answer.answer.status, meaning };
  return {
    name: code,
    title: `Provoke ${code}: ${meaning}`,
    note: noteOf(
      request,
      `The header Prefer makes the mock answer ${code}, whatever is sent. The service does not know the header.`,
    ),
    snippets: [
      curlSnippet(request),
      provokingClientSnippet(request, provoked),
      provokingFetchSnippet(request, provoked),
    ],
    answer: toSampleAnswer(answer, false),
  };
}

interface RequestExample {
  body?: Body;
  example?: Example;
}

function requestExamples({ requestBody }: Operation): RequestExample[] {
  const examples = (requestBody?.bodies ?? []).flatMap((body) => body.examples.map((example) => ({ body, example })));
  return examples.length === 0 ? [{}] : examples;
}

function toRequest(operation: Operation, { contract }: SampleContext, body?: Body, example?: Example): SampleRequest {
  const isForm = body !== undefined && /^multipart\//.test(body.mediaType);
  return {
    operation,
    path: pathParameters(operation, contract),
    query: exampleParameters(operation, "query"),
    json: isForm ? undefined : example?.value,
    files: isForm ? filesOf(body, example?.value ?? {}) : undefined,
    prefer: undefined,
  };
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
