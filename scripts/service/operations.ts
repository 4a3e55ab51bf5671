import { type Operation, operationTable } from "../client/src/entries/internal/index.ts";

/** A map, because an id can come from a file, and an object has members such as `constructor`. */
export const operations: ReadonlyMap<string, Operation> = new Map(Object.entries(operationTable));

export function operationOf(operationId: string): Operation {
  const operation = operations.get(operationId);
  if (operation === undefined) throw new Error(`The client has no operation ${operationId}.`);
  return operation;
}

export function isSafe(operationId: string): boolean {
  return operations.get(operationId)?.safe === true;
}

export function isSuccess(status: number): boolean {
  return Math.trunc(status / 100) === 2;
}
