/** Checks the secret token of webhook calls. */

/**
 * The expected value of the `Authorization` header: a token, several tokens during a rotation, or `{ unverified: true }`
 * to accept every caller.
 */
export type Authorization = string | readonly string[] | { readonly unverified: true };

/**
 * Creates the check of the `Authorization` header.
 *
 * @returns a function that takes the header, null when it is absent, and resolves to whether the caller is authorized.
 * @throws {TypeError} when no token or an empty token is given. To accept every caller, `unverified` must be given.
 */
export function createTokenCheck(authorization: Authorization): (header: string | null) => Promise<boolean> {
  if (isUnverified(authorization)) return async () => true;
  const tokens = typeof authorization === "string" ? [authorization] : authorization;
  const areUsable = Array.isArray(tokens) && tokens.length > 0 && tokens.every(isToken);
  if (!areUsable) {
    throw new TypeError(
      "authorization must be one or several tokens. Is the environment variable set? " +
        "To accept every caller, pass { unverified: true }.",
    );
  }
  return async (header) => {
    const given = await digest(header ?? "");
    const expected = await Promise.all(tokens.map(digest));
    // Every token is compared, so that the duration does not depend on which one matches.
    return expected.map((token) => areEqual(token, given)).includes(true);
  };
}

function isUnverified(authorization: unknown): boolean {
  return typeof authorization === "object" && (authorization as { unverified?: unknown } | null)?.unverified === true;
}

function isToken(token: unknown): boolean {
  return typeof token === "string" && token.trim() !== "";
}

/** Digests are compared instead of tokens because all of them have the same length. */
async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= (a[index] as number) ^ (b[index] as number);
  return difference === 0;
}
