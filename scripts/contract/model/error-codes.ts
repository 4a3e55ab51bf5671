/** How a P-code is recognised, everywhere in the toolchain: by the name of the schema of its error. */
import { isRef } from "./document.ts";
import type { Contract, ErrorCode } from "./model.ts";
import type { Place } from "./place.ts";

/** The schema of an error with any P-code: a response that lists it has codes that nobody has stated. */
export const generalError = "GeneralError";

/** The property of an error that carries its P-code. */
export const codeProperty = "errorCode";

/** Whether a name is that of a P-code: P and three digits (interface specification, Errors). */
export function isCode(name: string): boolean {
  return /^P\d{3}$/.test(name);
}

/** The P-code whose error a schema refers to, undefined when it refers to something else. */
export function codeOf(schema: Place): string | undefined {
  if (!isRef(schema.value)) return undefined;
  const { name } = schema.target;
  return isCode(name) ? name : undefined;
}

/**
 * The resolution of a P-code with the names of the operations under `resolvedBy`, where nothing else shows them:
 * `Have the user verified first (Add User Verification).`
 */
export function resolutionWithNames({ resolution, resolvedBy }: ErrorCode, { operations }: Contract): string {
  const names = resolvedBy.flatMap((id) => operations.find(({ operationId }) => operationId === id)?.summary ?? []);
  return names.length === 0 ? resolution : resolution.trim().replace(/\.?$/, ` (${names.join(", ")}).`);
}
