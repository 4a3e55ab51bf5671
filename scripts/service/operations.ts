import { type Operation, operationTable } from "../client/src/entries/internal/index.ts";

export const operations: Readonly<Record<string, Operation>> = operationTable;

export function operationOf(operationId: string): Operation {
  const operation = operations[operationId];
  if (operation === undefined) throw new Error(`The client has no operation ${operationId}.`);
  return operation;
}

export function isSafe(operationId: string): boolean {
  return operations[operationId]?.safe === true;
}

export function isSuccess(status: number): boolean {
  return Math.trunc(status / 100) === 2;
}
