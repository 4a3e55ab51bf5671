/** Tells errors of a connection that was not made from others. Loaded for the first error. */

/** How the codes of errors begin that Node and undici have before a connection is made: of the name, the connection, the certificate. */
const connectCodes =
  /^(E(CONNREFUSED|NOTFOUND|AI_AGAIN)$|UND_ERR_CONNECT_TIMEOUT|ERR_(TLS_CERT|SSL_WRONG_VERSION)_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/**
 * Whether a rejection says that no connection was made: one of its causes has such a `code` or `syscall`. Of an `AggregateError`,
 * which has an error for each address that was tried, all of them must. This holds for every `fetch` and dispatcher that keeps the
 * error of Node as a cause, and does not repeat requests by itself.
 *
 * @param depth how many causes are above this one.
 */
export function isConnectFailure(rejection: unknown, depth = 0): boolean {
  try {
    const { code, syscall, errors, cause } = Object(rejection) as Record<string, unknown>;
    if (Array.isArray(errors) && errors.length > 0) return errors.every((error) => isConnectFailure(error, depth + 1));
    if (syscall === "connect" || syscall === "getaddrinfo" || connectCodes.test(`${code}`)) return true;
    return depth < 5 && cause !== undefined && isConnectFailure(cause, depth + 1);
  } catch {
    // A getter or a proxy of whoever rejected.
    return false;
  }
}
