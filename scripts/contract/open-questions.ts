/** The register of open questions. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { projectRoot } from "./project.ts";
import { UsageError } from "./usage-error.ts";

export interface OpenQuestion {
  question: string;
  /** Section of the interface specification that leaves it open. */
  section: string;
  /** The sentence in which the specification itself says that something is not shown. */
  statedAs?: string;
  assumption: string;
  evidence: string;
  change: string;
}

export type OpenQuestions = Record<string, OpenQuestion>;

/**
 * Reads the register.
 *
 * @throws {UsageError} when it is missing or is no YAML.
 */
export function readOpenQuestions(file = `${projectRoot}/openapi/open-questions.yaml`): OpenQuestions {
  try {
    return parse(readFileSync(file, "utf8")) as OpenQuestions;
  } catch (error) {
    throw new UsageError(`The register of open questions cannot be read (${file}): ${(error as Error).message}`);
  }
}
