/** Reads a single YAML file. */
import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { UsageError } from "../model/index.ts";

/**
 * @param file absolute path.
 * @param what name of the file in the error message, such as "The guide".
 * @param partOf extracts the YAML from the text, such as a front matter.
 * @throws {UsageError} when it cannot be read.
 */
export function readYaml<Content>(file: string, what: string, partOf = (text: string): string => text): Content {
  try {
    return parseYaml(partOf(readFileSync(file, "utf8"))) as Content;
  } catch (error) {
    throw new UsageError(`${what} ${file} cannot be read: ${(error as Error).message}`);
  }
}
