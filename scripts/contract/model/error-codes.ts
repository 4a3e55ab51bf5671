import { isRef } from "./document.ts";
import type { Contract, ErrorCode } from "./model.ts";
import type { SourceLocation } from "./source-location.ts";

/** The schema of an error with any P-code. A response that lists this schema can have codes that the contract does not state. */
export const generalError = "GeneralError";

export const codeProperty = "errorCode";

/** A P-code is P and three digits (interface specification, Errors). */
export function isCode(name: string): boolean {
  return /^P\d{3}$/.test(name);
}

/** @returns undefined unless `schema` is a reference to the schema of a P-code. */
export function codeOf(schema: SourceLocation): string | undefined {
  if (!isRef(schema.value)) return undefined;
  const { name } = schema.target;
  return isCode(name) ? name : undefined;
}

/** The resolution of a P-code, followed by the summaries of the operations in `resolvedBy`, for output without links. */
export function resolutionWithNames({ resolution, resolvedBy }: ErrorCode, { operations }: Contract): string {
  const names = resolvedBy.flatMap((id) => operations.find(({ operationId }) => operationId === id)?.summary ?? []);
  return names.length === 0 ? resolution : resolution.trim().replace(/\.?$/, ` (${names.join(", ")}).`);
}
