import type { Problem } from "../errors/problem-texts.ts";

/**
 * Undefined for a value that can be sent, and for other types. In JSON, `NaN` and `Infinity` would become `null`. A number of more than 15
 * significant digits, unless it is a safe integer, is often a rounding error: 0.1 + 0.2 is 0.30000000000000004.
 */
export function numberProblem(value: unknown, subject: string | readonly string[]): Problem | undefined {
  const number = value instanceof Number ? Number(value) : value;
  if (typeof number !== "number" || Number.isSafeInteger(number)) return undefined;
  if (!Number.isFinite(number)) return ["number", subject, number];
  return Number(number.toPrecision(15)) === number ? undefined : ["digits", subject, number];
}
