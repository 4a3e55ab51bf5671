import type { Body, Contract, DocumentedResponse, Example, Operation } from "../../contract/model/index.ts";
import type { SiteContent } from "../content/site.ts";
import { bodiesOf, errorOf, failuresOf, successesOf } from "../content/subjects.ts";
import { type HandledCode, type SampleLanguage, snippetsOf } from "./languages.ts";
import type { PageCall } from "./page-call.ts";
import { callOf, requestExamples, requestOf } from "./request.ts";

interface SampleResponse {
  status: number;
  mediaType: string | undefined;
  body: unknown;
  example: string | undefined;
}

export interface Sample {
  /** Unique among the samples of an operation: the name of a request example, the operationId if there is none, or a P-code. */
  name: string;
  title: string;
  note: string | undefined;
  snippets: Record<SampleLanguage, string>;
  call: PageCall;
  response: SampleResponse | undefined;
}

type Sources = Pick<SiteContent, "contract" | "sampleValues">;

const filesNote =
  "The samples for curl and the client send a few words in the place of pictures; the others read files of these names.";

/** In a new mock that was started with `mockCommandLine`, each sample succeeds. */
export function operationSamples(operation: Operation, { contract, sampleValues }: Sources): Sample[] {
  return examplesOf(operation).map(({ body, example }) => {
    const request = requestOf(operation, sampleValues, body, example);
    return {
      name: example?.name ?? operation.operationId,
      title: example?.summary ?? operation.summary,
      note: request.files && filesNote,
      snippets: snippetsOf(request, specificCodes(operation, contract)),
      call: callOf(request),
      response: successOf(operation, example?.name),
    };
  });
}

export function codeSample(operation: Operation, code: string, { contract, sampleValues }: Sources): Sample {
  const response = responseWith(operation, code);
  const { status, example: exampleName } = response;
  const prefer = exampleName === undefined ? `code=${status}` : `code=${status}, example=${exampleName}`;
  const [{ body, example } = {}] = examplesOf(operation);
  const request = { ...requestOf(operation, sampleValues, body, example), prefer };
  const { meaning } = errorOf(code, contract);
  return {
    name: code,
    title: `Provoke ${code}: ${meaning}`,
    note: [
      `The header Prefer makes the mock answer ${code}, whatever is sent. The service does not know the header.`,
      ...(request.files === undefined ? [] : [filesNote]),
    ].join(" "),
    snippets: snippetsOf(request, response.status >= 400 ? [{ code, meaning }] : []),
    call: callOf(request),
    response,
  };
}

/** Without examples, a single empty entry, so that every operation has a sample. */
function examplesOf(operation: Operation): { body?: Body; example?: Example }[] {
  const examples = requestExamples(operation);
  return examples.length === 0 ? [{}] : examples;
}

const maxCodes = 2;
/** Samples do not handle a code, such as P500, that at least this share of the operations with P-codes returns. */
const generalShare = 0.75;

function specificCodes(operation: Operation, contract: Contract): HandledCode[] {
  const operationsWithCodes = contract.operations.filter(({ responses }) =>
    responses.some(({ codes }) => codes.length > 0),
  );
  const countUses = (code: string) =>
    operationsWithCodes.filter(({ responses }) => responses.some(({ codes }) => codes.includes(code))).length;
  return failuresOf(operation)
    .flatMap(({ codes }) => codes)
    .map((code) => ({ code, meaning: errorOf(code, contract).meaning, uses: countUses(code) }))
    .filter((candidate) => candidate.uses < operationsWithCodes.length * generalShare)
    .sort((a, b) => a.uses - b.uses)
    .slice(0, maxCodes);
}

/**
 * The body of the success is the response example with the name of the request example. If no example has this name, the body is the
 * example at the same position, provided that request and response have equally many examples; otherwise the first example.
 */
function successOf(operation: Operation, requestExampleName: string | undefined): SampleResponse | undefined {
  const [firstSuccess] = successesOf(operation).sort((a, b) => a.status - b.status);
  if (firstSuccess === undefined) return undefined;
  const requestExampleNames = exampleNamesIn(bodiesOf(operation));
  const responseExampleNames = exampleNamesIn(firstSuccess.bodies);
  const position = requestExampleName === undefined ? -1 : requestExampleNames.indexOf(requestExampleName);
  const nameAtPosition =
    responseExampleNames.length === requestExampleNames.length ? responseExampleNames[position] : undefined;
  const exampleName =
    responseExampleNames.find((name) => name === requestExampleName) ?? nameAtPosition ?? responseExampleNames[0];
  return sampleResponse(firstSuccess, ({ name }) => name === exampleName);
}

function exampleNamesIn(bodies: Body[]): string[] {
  return bodies.flatMap(({ examples }) => examples.map(({ name }) => name));
}

function responseWith(operation: Operation, code: string): SampleResponse {
  const response = operation.responses.find(({ codes }) => codes.includes(code));
  if (response === undefined) throw new Error(`${operation.operationId} documents no response with ${code}.`);
  return sampleResponse(response, ({ value }) => Object(value).errorCode === code);
}

function sampleResponse(
  { status, bodies: [body] }: DocumentedResponse,
  isChosen: (example: Example) => boolean,
): SampleResponse {
  const example = body?.examples.find(isChosen);
  return { status, mediaType: body?.mediaType, body: example?.value, example: example?.name };
}
