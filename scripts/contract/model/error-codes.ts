/** Recognises P-codes by the name of the error's schema; used by all tools. */
import { isRef } from "./document.ts";
import type { Contract, ErrorCode } from "./model.ts";
import type { SourceLocation } from "./source-location.ts";

/** The schema of an error with any P-code. A response that lists it can have codes that are not stated. */
export const generalError = "GeneralError";

/** The property of an error that carries its P-code. */
export const codeProperty = "errorCode";

/** Whether a name is that of a P-code: P and three digits (interface specification, Errors). */
export function isCode(name: string): boolean {
  return /^P\d{3}$/.test(name);
}

/** The P-code whose error a schema refers to; undefined for any other reference. */
export function codeOf(schema: SourceLocation): string | undefined {
  if (!isRef(schema.value)) return undefined;
  const { name } = schema.target;
  return isCode(name) ? name : undefined;
}

/**
 * The resolution of a P-code with the names of the operations under `resolvedBy`, for output without links: `Have the user verified first
 * (Add User Verification).`
 */
export function resolutionWithNames({ resolution, resolvedBy }: ErrorCode, { operations }: Contract): string {
  const names = resolvedBy.flatMap((id) => operations.find(({ operationId }) => operationId === id)?.summary ?? []);
  return names.length === 0 ? resolution : resolution.trim().replace(/\.?$/, ` (${names.join(", ")}).`);
}
