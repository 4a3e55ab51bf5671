/**
 * Parameters that fit together. The example of a parameter is shared by operations, so that a verification can come beside a
 * user whose it is not, and the mock would answer 404. The links of the contract say which call returns an identifier, and for whom:
 * where the examples of the parameters are none that such a call has returned, those of its first example are taken.
 */
import { type Answer, type Contract, type Operation, parseExpression } from "../../contract/index.ts";
import { exampleParameters } from "./request.ts";

type Values = Record<string, string>;

/** The values of the path parameters of an operation. */
export function pathParameters(operation: Operation, contract: Contract): Values {
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
