/** Values that samples send in place of those used up by the scenario: `samples` of `openapi/scenario.yaml`. */
import { existsSync } from "node:fs";
import { projectRoot } from "../../contract/model/index.ts";
import { readYaml } from "../../contract/sources/index.ts";

export interface SampleValues {
  operation: string;
  /** The name of a body example; without it, the values apply to all samples of the operation. */
  request?: string;
  /** Replace the examples of the parameters, by name. */
  path?: Record<string, string>;
  /** Replace members of the example's body. */
  body?: Record<string, unknown>;
}

/**
 * Reads the values; empty when the file does not exist.
 *
 * @param file absolute path; `openapi/scenario.yaml` by default.
 * @throws {UsageError} when it cannot be read.
 */
export function readSampleValues(file = `${projectRoot}/openapi/scenario.yaml`): SampleValues[] {
  if (!existsSync(file)) return [];
  return readYaml<{ samples?: SampleValues[] }>(file, "The scenario").samples ?? [];
}
