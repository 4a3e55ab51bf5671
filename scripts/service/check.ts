/** By default, only operations that read are called. */
import { readFileSync, statSync } from "node:fs";
import { UsageError } from "../base/index.ts";
import { type Deviation, inspect, type Schema } from "../client/src/entries/internal/index.ts";
import type { Edition, PlanOperation } from "../mock/plan/index.ts";
import { readJson } from "../mock/request/index.ts";
import { Caller, type CallerOptions, type CallResult, ServiceError } from "./caller.ts";
import { describeExpected } from "./expectations.ts";
import type { ResponseDrift } from "./judge.ts";
import { codeIn, safePointer } from "./masking.ts";
import { isSafe, isSuccess } from "./operations.ts";
import type { Report } from "./report.ts";

export interface CheckOptions extends CallerOptions {
  readonly edition: Edition;
  /** The operations to call, which only read; empty for all operations of the edition that only read. */
  readonly operations: readonly PlanOperation[];
  /** Operations that change data. They are called before the others if all their values are known from the start. */
  readonly writeOperations: readonly PlanOperation[];
}

/**
 * Adds the differences to the report.
 *
 * @returns {@link Caller.isComplete}, which stays true if operations are not called because their values are not known.
 * @throws {ServiceError} when there is nothing to report, see {@link Caller.checkReached}, or no operation can be called with the known
 * values.
 */
export async function check(options: CheckOptions, report: Report): Promise<boolean> {
  const { plan, edition, operations, writeOperations } = options;
  const caller = new Caller(options);
  const safeOperations = plan.operations.filter(
    (operation) => isSafe(operation.operationId) && operation.editions.includes(edition),
  );
  const uncalledOperations = await callAll(
    caller,
    [...writeOperations, ...(operations.length > 0 ? operations : safeOperations)],
    (operation, result) => addResult(report, operation, result),
  );
  const missingTexts = uncalledOperations.map(
    ({ operationId, missingOptions }) => `${operationId} needs ${missingOptions}`,
  );
  for (const { operationId, missingOptions } of uncalledOperations) report.skip(operationId, `needs ${missingOptions}`);
  report.setChanges(caller.changes);
  caller.checkReached();
  if (caller.calls.length + caller.changes.length === 0)
    throw new ServiceError(`No operation can be called with the known values: ${missingTexts.join("; ")}.`);
  return caller.isComplete;
}

/**
 * Needs several passes, because a response can contain an identifier that another call needs.
 *
 * @returns the operations that were not called, because values are not known.
 */
async function callAll(
  caller: Caller,
  operations: readonly PlanOperation[],
  onResult: (operation: PlanOperation, result: CallResult | ServiceError) => void,
): Promise<{ operationId: string; missingOptions: string | undefined }[]> {
  const pendingOperations = new Set(operations);
  let callableOperations: PlanOperation[];
  do {
    callableOperations = [...pendingOperations].filter((operation) => caller.missingOptions(operation) === undefined);
    for (const operation of callableOperations) {
      pendingOperations.delete(operation);
      onResult(operation, await caller.attempt(operation));
    }
  } while (callableOperations.length > 0);
  return [...pendingOperations].map((operation) => ({
    operationId: operation.operationId,
    missingOptions: caller.missingOptions(operation),
  }));
}

function addResult(report: Report, { operationId }: PlanOperation, result: CallResult | ServiceError): void {
  if (result instanceof ServiceError) {
    report.skip(operationId, result.message);
    return;
  }
  const { status, body, drift, fields, milliseconds } = result;
  report.add(operationId, drift, { fields, milliseconds });
  if (!isSuccess(status)) {
    const code = codeIn(body) ?? "without a P-code";
    report.skip(operationId, `the response was ${status} ${code}, which is no success`);
  } else if (Array.isArray(body) && body.length === 0) report.skip(operationId, "its list was empty");
}

const maxFileBytes = 64 * 1024 * 1024;

const identifierSchema: Schema = { type: "string", pattern: /^[\w-]{1,80}$/ };

const deviationFields: Readonly<Record<string, Schema>> = {
  operationId: identifierSchema,
  webhook: identifierSchema,
  status: { type: "integer" },
  pointer: { type: "string" },
  rule: identifierSchema,
  question: identifierSchema,
};
const deviationSchema: Schema = { type: "object", required: ["pointer", "rule"], properties: deviationFields };

/** One JSON object per line. @throws {UsageError} if the file cannot be read or is too large, or a line is malformed. */
export function readDeviations(file: string): ResponseDrift[] {
  return readText(file)
    .split("\n")
    .flatMap((line, index): ResponseDrift[] => {
      if (line.trim() === "") return [];
      const { value: parsedLine } = readJson(line);
      if (!isDeviation(parsedLine)) {
        const remedy = "Write each deviation that onDeviation receives as JSON, one per line.";
        throw new UsageError(`${file}:${index + 1} is not a deviation. ${remedy}`, 2);
      }
      const { pointer, rule } = parsedLine;
      const knownMembers = Object.entries(parsedLine).filter(([name]) => Object.hasOwn(deviationFields, name));
      const deviation: Deviation = { ...Object.fromEntries(knownMembers), pointer, rule };
      const expected = describeExpected(deviation);
      return [{ ...deviation, pointer: safePointer(pointer, rule), side: "response", expected, seen: "" }];
    });
}

function isDeviation(value: unknown): value is Deviation {
  return inspect(deviationSchema, value).violations.every(({ rule }) => rule === "unlisted-field");
}

function readText(file: string): string {
  try {
    if (statSync(file).size <= maxFileBytes) return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, 2);
  }
  throw new UsageError(`${file} has more than ${maxFileBytes / 1024 / 1024} MiB.`, 2);
}
