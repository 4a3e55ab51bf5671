import { UsageError } from "../../base/index.ts";
import { isData, type SourceLocation } from "../model/index.ts";
import { lineOf } from "./line-of.ts";
import { nameOf } from "./source-files.ts";

/**
 * The value of a node whose keys all have values. In data, null is a value.
 *
 * @throws {UsageError} at the line of the first key without value.
 */
export function completeValue<Value>(location: SourceLocation): Value {
  if (location.value === null) {
    const { file, line, column } = lineOf(location);
    throw new UsageError(
      `${nameOf(file)}:${line}:${column}: ${location.pointer} has no value. Complete it, or remove it.`,
    );
  }
  for (const [key, inner] of location.children()) if (key !== "body" && !isData(key, inner.value)) completeValue(inner);
  return location.value as Value;
}
