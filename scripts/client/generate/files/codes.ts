/** Generates the file `codes.ts`: the P-codes by kind, as types. */
import type { Contract } from "../../../contract/model/index.ts";
import { contractTypesPath, generatedNotice, toUnion } from "../writing/text.ts";

export function codesSource({ errorCodes }: Contract): string {
  const codes = errorCodes.map(({ code }) => code);
  return `${generatedNotice}
import type { NoResponseError, PartnerApiError, UnexpectedResponseError } from "${contractTypesPath}";

/** Every P-code of the catalogue. An operation may respond with any of them, whether or not the contract documents the code for it. */
export type CatalogueCode = ${toUnion(codes)};

/** The P-codes of failures. */
export type FailureCode = ${toUnion(errorCodes.filter(({ retry }) => retry !== "none").map(({ code }) => code))};

/**
 * A P-code that the catalogue does not have, such as \`P999\`. The type excludes all codes of the catalogue, so that comparing the code
 * narrows the type of an error.
 */
export type UnlistedCode = ${unlistedCodeTypes("P", codes).join(" | ")};

/** An error whose P-code is in the catalogue, but is not documented for the operation, or is documented for it with other statuses only. */
export interface UndocumentedError extends PartnerApiError {
  readonly kind: "code";
  readonly documented: false;
  readonly status: number;
  /** - A P-code that is not documented for this call and status: \`documented\` is false. */
  readonly errorCode: CatalogueCode;
}

/** An error whose P-code the catalogue does not have. */
export interface UnknownCodeError extends PartnerApiError {
  readonly kind: "unknown-code";
  readonly documented: false;
  readonly status: number;
  /** - A P-code that the catalogue does not have. */
  readonly errorCode: UnlistedCode;
}

/** The errors that every call can have, besides the documented ones and {@link UndocumentedError}. */
export type OtherError = UnknownCodeError | UnexpectedResponseError | NoResponseError;
`;
}

/** For a listed code such as `P433`, these types match neither its prefixes, such as `P43`, nor its extensions, such as `P4331`. */
function unlistedCodeTypes(prefix: string, codes: readonly string[]): string[] {
  return [..."0123456789"].flatMap((digit) => {
    const longerPrefix = prefix + digit;
    if (codes.includes(longerPrefix)) return [];
    return codes.some((code) => code.startsWith(longerPrefix))
      ? unlistedCodeTypes(longerPrefix, codes)
      : [`\`${longerPrefix}\${string}\``];
  });
}
