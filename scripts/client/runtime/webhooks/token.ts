/** The secret token of webhook calls. */

/**
 * What the receiver expects in the `Authorization` header: the token, several while one replaces another, or
 * `{ unverified: true }` to say on purpose that everybody may call.
 */
export type Authorization = string | readonly string[] | { readonly unverified: true };

/**
 * Makes the check of the `Authorization` header.
 *
 * @throws {TypeError} when no token is given, or an empty one: a receiver that accepts everybody has to say so.
 */
export function createTokenCheck(authorization: Authorization): (header: string | null) => Promise<boolean> {
  if (isUnverified(authorization)) return async () => true;
  const tokens = typeof authorization === "string" ? [authorization] : authorization;
  const areUsable = Array.isArray(tokens) && tokens.length > 0 && tokens.every(isToken);
  if (!areUsable) {
    throw new TypeError(
      "authorization must be the token of the webhooks, or several. Is the environment variable set? " +
        "To accept calls from everybody on purpose, give { unverified: true }.",
    );
  }
  return async (header) => {
    const given = await digest(header ?? "");
    const expected = await Promise.all(tokens.map(digest));
    // Every token is compared, so that the time tells nothing about which one nearly fits.
    return expected.map((token) => areEqual(token, given)).includes(true);
  };
}

function isUnverified(authorization: unknown): boolean {
  return typeof authorization === "object" && (authorization as { unverified?: unknown } | null)?.unverified === true;
}

function isToken(token: unknown): boolean {
  return typeof token === "string" && token.trim() !== "";
}

/** Digests are compared instead of tokens: they have one length, whatever was sent. */
async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= (a[index] as number) ^ (b[index] as number);
  return difference === 0;
}
