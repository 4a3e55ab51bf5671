/** The states that an operation can require, as the registry of `x-` keys defines them. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { projectRoot } from "../contract/project.ts";
import { UsageError } from "../contract/usage-error.ts";

/** For each state the P-code of a user who is not in it. */
export type RequiredStates = Record<string, string>;

/**
 * Reads the states from `states` of x-requires.
 *
 * @throws {UsageError} when the registry cannot be read.
 */
export function readRequiredStates(file = `${projectRoot}/openapi/extensions.yaml`): RequiredStates {
  try {
    const registry = parse(readFileSync(file, "utf8")) as Record<string, { states?: RequiredStates }>;
    return registry["x-requires"]?.states ?? {};
  } catch (error) {
    throw new UsageError(`The registry of x- keys cannot be read (${file}): ${(error as Error).message}`);
  }
}
