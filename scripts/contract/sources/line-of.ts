import { getLineColLocation } from "@redocly/openapi-core";
import type { SourceLocation } from "../model/index.ts";

/** An object or array is reported at its key, and a scalar at its value. */
export function reportedPosition({ source, pointer, value }: SourceLocation): Parameters<typeof getLineColLocation>[0] {
  if (source === undefined) throw new Error(`The pointer ${pointer} is in no file.`);
  return { source, pointer, reportOnKey: value === undefined || typeof value === "object" };
}

/** Counted from 1. `file` is an absolute path. */
export function lineOf(location: SourceLocation): { file: string; line: number; column: number } {
  const { source, start } = getLineColLocation(reportedPosition(location));
  return { file: source.absoluteRef, line: start.line, column: start.col };
}

/** The text of a position for messages, such as `openapi/schemas/order.yaml:12:3`. */
export function positionText(
  position: Parameters<typeof getLineColLocation>[0],
  { nameOf }: { nameOf(file: string): string },
): string {
  const { source, start } = getLineColLocation(position);
  return `${nameOf(source.absoluteRef)}:${start.line}:${start.col}`;
}

/** {@link positionText} of the position that is reported for a value. */
export function positionOf(location: SourceLocation, names: { nameOf(file: string): string }): string {
  return positionText(reportedPosition(location), names);
}
