import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { UsageError } from "../../base/index.ts";
import { nameOf } from "./source-files.ts";

export { parseYaml };

/**
 * @param kindOfFile for the error message, such as "The guide".
 * @throws {UsageError} if the file cannot be read or parsed.
 */
export function readYaml<Content>(file: string, kindOfFile: string): Content {
  try {
    return parseYaml(readFileSync(file, "utf8")) as Content;
  } catch (error) {
    throw new UsageError(`${kindOfFile} ${nameOf(file)} cannot be read: ${(error as Error).message}`);
  }
}
