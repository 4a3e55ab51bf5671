import { readFileSync } from "node:fs";
import { parseYaml } from "@redocly/openapi-core";
import { UsageError } from "../model/index.ts";

export { parseYaml };

/** @param what the kind of file, for the error message: "The guide". @throws {UsageError} if the file cannot be read or parsed. */
export function readYaml<Content>(file: string, what: string, partOf = (text: string): string => text): Content {
  try {
    return parseYaml(partOf(readFileSync(file, "utf8"))) as Content;
  } catch (error) {
    throw new UsageError(`${what} ${file} cannot be read: ${(error as Error).message}`);
  }
}
