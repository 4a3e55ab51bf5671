import { digest } from "../reading/bytes.ts";

/**
 * The expected value of the `Authorization` header: a token, several tokens during a rotation, or `{ unverified: true }` to accept every
 * caller.
 */
export type Authorization = string | readonly string[] | { readonly unverified: true };

export function createTokenCheck(authorization: Authorization): (header: string | null) => Promise<boolean> {
  if (isUnverified(authorization)) return async () => true;
  // The list is copied, so that the tokens cannot change after they are checked.
  const tokens: readonly string[] = Array.isArray(authorization) ? [...authorization] : [authorization];
  if (tokens.length === 0) throw new TypeError(missingTokenText);
  for (const token of tokens) checkToken(token);
  let expectedDigests: readonly Uint8Array[] | undefined;
  return async (header) => {
    const headerDigest = await digest(header ?? "");
    // The digests are computed on the first call, because some edge workers allow no asynchronous work outside of a request.
    expectedDigests ??= await Promise.all(tokens.map(digest));
    // Every token is compared, so that the duration does not depend on which token matches.
    return expectedDigests.map((token) => areEqual(token, headerDigest)).includes(true);
  };
}

const missingTokenText =
  'authorization must be one or several tokens, not empty, "undefined" or a scheme alone. ' +
  "Is the environment variable set? " +
  "To accept every caller, pass { unverified: true }.";

/** Matches a token made from a missing variable ("Bearer undefined"), and a scheme without a token. */
const missingToken = /^((\S+\s+)?(undefined|null|NaN|\[object Object\])|Bearer|Basic)$/i;

function isUnverified(authorization: unknown): boolean {
  return typeof authorization === "object" && (authorization as { unverified?: unknown } | null)?.unverified === true;
}

/**
 * Refuses a token that is missing, has surrounding spaces or line breaks (header values have none: RFC 9110, section 5.5), or is not
 * printable ASCII.
 */
function checkToken(token: unknown): void {
  if (typeof token !== "string" || token.trim() === "" || missingToken.test(token.trim()))
    throw new TypeError(missingTokenText);
  const problem = /[\r\n]$/.test(token)
    ? "ends with a line break: trim it when you read it from a file"
    : token !== token.trim()
      ? "begins or ends with a blank: trim it"
      : /[^\t\x20-\x7e]/.test(token)
        ? "has a character that is not printable ASCII"
        : undefined;
  if (problem !== undefined) throw new TypeError(`authorization ${problem}. No header can match it.`);
}

/** In constant time. Digests are compared instead of tokens, because all digests have the same length. */
function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.reduce((difference, byte, index) => difference | (byte ^ (b[index] as number)), 0) === 0;
}
