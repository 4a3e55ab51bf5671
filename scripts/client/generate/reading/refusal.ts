import { relative } from "node:path";
import { UsageError } from "../../../base/index.ts";
import type { SourceLocation } from "../../../contract/model/index.ts";

/** No correct client can be generated, because of the element at `location`. Problem and remedy have no full stop. */
export class Refusal extends UsageError {
  readonly location: SourceLocation;
  readonly problem: string;
  readonly remedy: string;

  constructor(location: SourceLocation, problem: string, remedy: string) {
    super(`${location.file && relative(process.cwd(), location.file)}${location.pointer}: ${problem}. ${remedy}.`);
    this.location = location;
    this.problem = problem;
    this.remedy = remedy;
  }
}

export function demand(
  condition: boolean,
  location: SourceLocation,
  problem: string,
  remedy: string,
): asserts condition {
  if (!condition) throw new Refusal(location, problem, remedy);
}

/** @throws {Refusal} if the value is undefined. */
export function demandValue<Value>(
  value: Value | undefined,
  location: SourceLocation,
  problem: string,
  remedy: string,
): Value {
  demand(value !== undefined, location, problem, remedy);
  return value;
}
