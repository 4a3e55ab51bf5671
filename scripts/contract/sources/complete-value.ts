import { UsageError } from "../../base/index.ts";
import { isData, type SourceLocation } from "../model/index.ts";
import { positionText, reportedPosition } from "./line-of.ts";
import { nameOf } from "./source-files.ts";

/** The registers hold bodies of requests, which are data as the value of an example is. */
const isDataOfRegister = (key: string, value: unknown) => key === "body" || isData(key, value);

/** @throws {UsageError} with the file and line. */
export function refuse(location: SourceLocation, problem: string, remedy = "Complete it, or remove it"): never {
  const position = positionText(reportedPosition(location), { nameOf });
  throw new UsageError(`${position}: ${location.pointer} ${problem}. ${remedy}.`);
}

/**
 * The value of a node whose keys all have values. In data, null is a value.
 *
 * @throws {UsageError} at the line of the first key without value.
 */
export function completeValue<Value>(location: SourceLocation): Value {
  if (location.value === null) refuse(location, "has no value");
  for (const [key, inner] of location.children()) if (!isDataOfRegister(key, inner.value)) completeValue(inner);
  return location.value as Value;
}
