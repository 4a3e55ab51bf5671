/** What a plan needs besides a bundle. */
import { existsSync } from "node:fs";
import { type ModelRegisters, noRegisters } from "../contract/index.ts";
import type { Sources } from "../sources/index.ts";

export interface PlanRegisters extends ModelRegisters {
  /** `openapi/scenario.yaml`. */
  scenario: unknown;
  /** `openapi/mock.yaml`. */
  assumptions: unknown;
}

/** For a document without registers: there are no conditions, resources, scenario and assumptions. */
export const noPlanRegisters: PlanRegisters = { ...noRegisters, scenario: undefined, assumptions: {} };

/**
 * Reads the registers beside the contract.
 *
 * @throws {UsageError} when one cannot be read.
 */
export function readPlanRegisters(sources: Sources): PlanRegisters {
  const { mock, scenario } = sources.layout;
  return {
    ...sources.registers(),
    scenario: parsed(sources, scenario),
    assumptions: parsed(sources, mock),
  };
}

/** Undefined where there is no such file. */
function parsed(sources: Sources, file: string): unknown {
  return existsSync(file) ? sources.document(file).parsed : undefined;
}
