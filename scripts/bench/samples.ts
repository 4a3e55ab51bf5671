/** Calls to measure, made from the examples of the contract. */
import type { Answer, Contract, Operation } from "../contract/contract.ts";

/** A call, and the answer that it gets. */
export interface Sample {
  name: string;
  operation: Operation;
  path: Record<string, string>;
  body: unknown;
  status: number;
  answer: unknown;
}

/** A read, a write with a body, and a refusal. */
export function makeSamples(contract: Contract): [Sample, Sample, Sample] {
  return [
    sampleOf(contract, "listUserCards", "success"),
    sampleOf(contract, "createUserAccount", "success"),
    sampleOf(contract, "listUserCards", "refusal"),
  ];
}

function sampleOf(contract: Contract, operationId: string, outcome: "success" | "refusal"): Sample {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(`The contract has no operation "${operationId}".`);
  const answer = operation.answers.find((candidate) => isSuccess(candidate) === (outcome === "success"));
  if (answer === undefined) throw new Error(`${operationId} documents no ${outcome}.`);
  return {
    name: `${operation.method.toUpperCase()}, ${answer.status}`,
    operation,
    path: pathOf(operation),
    body: operation.requestBody?.bodies[0]?.examples[0]?.value,
    status: answer.status,
    answer: answer.bodies[0]?.examples[0]?.value,
  };
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** The path parameters of an operation with their examples, in the order of the contract. */
export function pathOf(operation: Operation): Record<string, string> {
  return Object.fromEntries(
    operation.parameters.flatMap(({ name, in: place, example }) => (place === "path" ? [[name, String(example)]] : [])),
  );
}

/** The path that a sample is sent to. */
export function pathnameOf({ operation, path }: Sample): string {
  return operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
}
