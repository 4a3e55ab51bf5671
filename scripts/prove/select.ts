import { didYouMean } from "../base/index.ts";
import { ProveError } from "./processes.ts";
import type { Call } from "./report.ts";

/**
 * @param only such as `late-effect,two-faults:createTransfer:2`.
 *
 * @param operationsOf returns the operations at whose calls a condition is tested; none if it concerns whole runs.
 * @returns the conditions in the order of `conditions`. Undefined `calls`: the condition is tested at all calls, or in a whole run.
 * @throws {ProveError} when there is no such condition, or it is not tested at such a call.
 */
export function parseOnly<Condition extends { readonly name: string }>(
  only: string | undefined,
  conditions: readonly Condition[],
  operationsOf: (condition: Condition) => readonly string[],
): readonly { readonly condition: Condition; readonly calls: readonly Call[] | undefined }[] {
  if (only === undefined) return conditions.map((condition) => ({ condition, calls: undefined }));
  const parts = only.split(",").map((text) => {
    const [name = "", ...callTexts] = text.trim().split(":");
    const condition = findCondition(name, conditions);
    const call = callTexts.length === 0 ? undefined : parseCall(callTexts, name, operationsOf(condition));
    return { name, call };
  });
  return conditions.flatMap((condition) => {
    const calls = parts.filter(({ name }) => name === condition.name).map(({ call }) => call);
    if (calls.length === 0) return [];
    return [{ condition, calls: calls.every((call) => call !== undefined) ? calls : undefined }];
  });
}

function findCondition<Condition extends { readonly name: string }>(
  name: string,
  conditions: readonly Condition[],
): Condition {
  const condition = conditions.find((candidate) => candidate.name === name);
  if (condition !== undefined) return condition;
  const names = conditions.map((candidate) => candidate.name);
  throw new ProveError(
    `There is no condition ${JSON.stringify(name)}.${didYouMean(name, names)} --list names all of them.`,
  );
}

/** @param texts the parts of a call, such as `createTransfer` and `2`. */
function parseCall(texts: readonly string[], name: string, operations: readonly string[]): Call {
  const [operation = "", number = "", ...surplusTexts] = texts;
  const [firstOperation] = operations;
  if (firstOperation === undefined) throw new ProveError(`${name} concerns whole runs: write it without a call.`);
  if (!operations.includes(operation)) {
    throw new ProveError(
      `${name} is not tried at calls of ${JSON.stringify(operation)}, but of ${operations.join(", ")}.`,
    );
  }
  if (surplusTexts.length > 0 || !/^[1-9]\d{0,3}$/.test(number)) {
    const text = [name, ...texts].join(":");
    throw new ProveError(`${JSON.stringify(text)} is no call: write it as ${name}:${firstOperation}:2.`);
  }
  return { operation, number: Number(number) };
}

export function formatOnly(name: string, call: Call | undefined): string {
  return call === undefined ? name : `${name}:${call.operation}:${call.number}`;
}
