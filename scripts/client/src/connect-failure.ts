/** Detects errors of a connection that was never established. Loaded for the first error. */

/** Error codes, or their beginnings, of Node and undici before a connection is established: DNS, connect, TLS certificate. */
const connectCodes =
  /^(E(CONNREFUSED|NOTFOUND|AI_AGAIN)$|UND_ERR_CONNECT_TIMEOUT|ERR_(TLS_CERT|SSL_WRONG_VERSION)_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/**
 * Whether no connection was established: an error in the chain of causes has a `code` or `syscall` of a failed connection. For an
 * `AggregateError` (one error for each address tried), this must be true for each of its errors. Works with every `fetch` and dispatcher
 * that keeps Node's error as a cause and does not retry.
 *
 * @param depth nesting level in the chain of causes.
 */
export function isConnectFailure(rejection: unknown, depth = 0): boolean {
  try {
    const { code, syscall, errors, cause } = Object(rejection) as Record<string, unknown>;
    if (Array.isArray(errors) && errors.length > 0) return errors.every((error) => isConnectFailure(error, depth + 1));
    if (syscall === "connect" || syscall === "getaddrinfo" || connectCodes.test(`${code}`)) return true;
    return depth < 5 && isConnectFailure(cause, depth + 1);
  } catch {
    // A getter or a proxy threw.
    return false;
  }
}
