/** The call that a sample shows, in no language yet. */
import {
  type Address,
  type Answer,
  type Body,
  type Contract,
  type Example,
  type Operation,
  type Parameter,
  parseExpression,
  walkSchema,
} from "../../contract/index.ts";

/** The addresses of the mock, as `npm start` and `npx partner-wallet-api mock` serve it. */
export const mockAddresses: Record<Address, string> = {
  base_url: "http://127.0.0.1:4010",
  deposit_base_url: "http://127.0.0.1:4011",
};

/** Each key has a world of its own in the mock, which takes any. */
export const sampleKey = "any-key-will-do-for-the-mock";

/** A file of an upload; the mock asks for its name and type only. */
export interface SampleFile {
  part: string;
  /** Whether the part can hold several files. */
  isList: boolean;
  name: string;
  type: string;
  content: string;
}

export interface SampleRequest {
  operation: Operation;
  path: Record<string, string>;
  query: Record<string, unknown>;
  /** The JSON body; undefined where none is sent. */
  json: unknown;
  /** The files, for a multipart body. */
  files: SampleFile[] | undefined;
  /** The header `Prefer`; undefined where the mock does what the call says. */
  prefer: string | undefined;
}

/**
 * Whether the mock, as `npm start` serves it, can answer a call from its state again and again: it only reads, and reads data. A page
 * leads somewhere only as long as what it belongs to goes on, and in the scenario that is over.
 */
export function isAnsweredFromState(operation: Operation): boolean {
  return operation.method === "get" && operation.effects.length === 0 && !isPage(operation);
}

/** Whether a success is a page or another text, and not JSON. */
export function isPage({ answers }: Operation): boolean {
  const successes = answers.filter(({ status }) => status < 300);
  return successes.some(({ bodies }) => bodies.some(({ mediaType }) => /^text\//.test(mediaType)));
}

/** The path with the values of its parameters. */
export function filledPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

/** The URL of the call at the mock. */
export function urlOf({ operation, path, query }: SampleRequest): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return `${mockAddresses[operation.address]}${filledPath(operation.path, path)}${search.size === 0 ? "" : `?${search}`}`;
}

/** The request of an example of a body, or that without a body. */
export function requestOf(operation: Operation, contract: Contract, body?: Body, example?: Example): SampleRequest {
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

/** The examples of the body of an operation, each with its body. */
export function requestExamples({ requestBody }: Operation): { body: Body; example: Example }[] {
  return (requestBody?.bodies ?? []).flatMap((body) => body.examples.map((example) => ({ body, example })));
}

/** The values of the parameters' examples, by name. */
function exampleParameters(operation: Operation, place: "path" | "query"): Record<string, unknown> {
  const own = operation.parameters.filter((parameter) => parameter.in === place && exampleOf(parameter) !== undefined);
  return Object.fromEntries(own.map((parameter) => [parameter.name, exampleOf(parameter)]));
}

function exampleOf({ example, schema }: Parameter): unknown {
  return example ?? schema.target.own("examples").items()[0]?.value;
}

const typesByEnding: Record<string, string> = { jpg: "image/jpeg", png: "image/png", pdf: "application/pdf" };

/** The files of an example of a multipart body, whose texts name them: `(bytes of selfie.jpg)`. */
function filesOf({ schema }: Body, example: unknown): SampleFile[] {
  const lists = new Set<string>();
  walkSchema(schema, (place, { path: [part, ...deeper] }) => {
    if (part !== undefined && deeper.length === 0 && place.own("items").exists) lists.add(part);
  });
  return Object.entries(example as object).flatMap(([part, value]) =>
    [value].flat().map((text) => {
      const name = /\(bytes of (.+)\)/.exec(String(text))?.[1] ?? `${part}.jpg`;
      const type = typesByEnding[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
      return { part, isList: lists.has(part), name, type, content: "a few bytes" };
    }),
  );
}

type Values = Record<string, string>;

/**
 * The values of the path parameters of an operation, which fit together. The example of a parameter is shared by operations, so
 * that a verification can come beside a user whose it is not, and the mock would answer 404. The links of the contract say which
 * call returns an identifier, and for whom: where the examples are none that such a call has returned, those of its first are taken.
 */
function pathParameters(operation: Operation, contract: Contract): Values {
  const own = texts(exampleParameters(operation, "path"));
  const returned = returnedValues(contract).get(operation.operationId) ?? [];
  const fits = returned.some((values) => Object.entries(values).every(([name, value]) => own[name] === value));
  return fits ? own : { ...own, ...returned[0] };
}

const returnedByContract = new WeakMap<Contract, Map<string, Values[]>>();

/** What the links give to the operations, by operationId: for each pair of examples, and only where an answer gives an identifier. */
function returnedValues(contract: Contract): Map<string, Values[]> {
  const known = returnedByContract.get(contract);
  if (known !== undefined) return known;
  const found = new Map<string, Values[]>();
  for (const source of contract.operations) {
    for (const answer of source.answers) {
      for (const { operationId = "", parameters = {} } of linksOf(answer)) {
        const given = Object.entries(parameters);
        if (!given.some(([, expression]) => /^\$response\./.test(expression))) continue;
        const values = pairsOf(source, answer).map((pair) =>
          texts(Object.fromEntries(given.map(([name, expression]) => [name, evaluate(expression, pair)]))),
        );
        found.set(operationId, [...(found.get(operationId) ?? []), ...values]);
      }
    }
  }
  returnedByContract.set(contract, found);
  return found;
}

interface Link {
  operationId?: string;
  parameters?: Record<string, string>;
}

function linksOf({ place }: Answer): Link[] {
  return place
    .at("links")
    .entries()
    .map(([, link]) => link.target.value as Link);
}

interface Pair {
  request: unknown;
  response: unknown;
  path: Record<string, unknown>;
  query: Record<string, unknown>;
}

/** Each example of the answer with its request: the one of the same name, or the first. */
function pairsOf(source: Operation, { bodies }: Answer): Pair[] {
  const requests = source.requestBody?.bodies.flatMap(({ examples }) => examples) ?? [];
  const answers = bodies.flatMap(({ examples }) => examples);
  return answers.map(({ name, value }) => ({
    request: (requests.find((request) => request.name === name) ?? requests[0])?.value,
    response: value,
    path: exampleParameters(source, "path"),
    query: exampleParameters(source, "query"),
  }));
}

function evaluate(expression: string, pair: Pair): unknown {
  const { of, name } = parseExpression(expression) ?? {};
  const holder = of === undefined ? undefined : pair[of];
  return (holder as Record<string, unknown> | undefined)?.[name ?? ""];
}

/** Those that are known, as texts. */
function texts(values: Record<string, unknown>): Values {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
}
