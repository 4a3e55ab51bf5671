/** What the bench measures: calls with the answers that they get, and the operations of a usual program. */
import { type Answer, type Contract, type Operation, UsageError } from "../contract/index.ts";

/** A call, and the answer that it gets. */
export interface SampleCall {
  name: string;
  operation: Operation;
  path: Record<string, string>;
  body: unknown;
  /** HTTP status. */
  status: number;
  answer: unknown;
}

/**
 * Takes three calls from the examples of the contract: a read, a write with a body, and a refusal.
 *
 * @throws {UsageError} when the contract does not have them.
 */
export function makeSamples(contract: Contract): [SampleCall, SampleCall, SampleCall] {
  return [
    sampleOf(contract, "listUserCards", "success"),
    sampleOf(contract, "createUserAccount", "success"),
    sampleOf(contract, "listUserCards", "refusal"),
  ];
}

function sampleOf(contract: Contract, operationId: string, outcome: "success" | "refusal"): SampleCall {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  const answer = operation?.answers.find((candidate) => isSuccess(candidate) === (outcome === "success"));
  if (operation === undefined || answer === undefined) {
    throw new UsageError(
      `The bench needs ${operationId} with a documented ${outcome}. Choose another operation in samples.ts.`,
    );
  }
  return {
    name: `${operation.method.toUpperCase()}, ${answer.status}`,
    operation,
    path: pathParametersOf(operation),
    body: operation.requestBody?.bodies[0]?.examples[0]?.value,
    status: answer.status,
    answer: answer.bodies[0]?.examples[0]?.value,
  };
}

function isSuccess({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

/** The path parameters of an operation with their examples, in the order of the contract. */
export function pathParametersOf(operation: Operation): Record<string, string> {
  return Object.fromEntries(
    operation.parameters.flatMap(({ name, in: location, example }) =>
      location === "path" ? [[name, String(example)]] : [],
    ),
  );
}

/** The path that a sample is sent to. */
export function pathnameOf({ operation, path }: SampleCall): string {
  return operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
}

/** How many operations a usual program calls. */
export const operationCount = 10;

/** The operations that a usual program calls: all their P-codes are known, and none of them uploads a file. */
export function usualOperations({ operations }: Contract): Operation[] {
  return operations.filter(isUsual).slice(0, operationCount);
}

function isUsual({ requestBody, answers }: Operation): boolean {
  const isUpload = requestBody?.bodies[0]?.mediaType.startsWith("multipart/") ?? false;
  return !isUpload && answers.some(({ codes }) => codes.length > 0) && true;
}
