/** What samples send in the places of values that the scenario has used up: `samples` of `openapi/scenario.yaml`. */
import { existsSync } from "node:fs";
import { projectRoot } from "../../contract/model/index.ts";
import { readYaml } from "../../contract/sources/index.ts";

export interface SampleValues {
  operation: string;
  /** The name of an example of the body; without it, the values are those of all samples of the operation. */
  request?: string;
  /** Replace the examples of the parameters, by name. */
  path?: Record<string, string>;
  /** Replace members of the example's body. */
  body?: Record<string, unknown>;
}

/**
 * Reads the values. A contract need not have a scenario.
 *
 * @param file absolute path; `openapi/scenario.yaml` by default.
 * @throws {UsageError} when it cannot be read.
 */
export function readSampleValues(file = `${projectRoot}/openapi/scenario.yaml`): SampleValues[] {
  if (!existsSync(file)) return [];
  return readYaml<{ samples?: SampleValues[] }>(file, "The scenario").samples ?? [];
}
