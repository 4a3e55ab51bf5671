/** Error codes of Node and undici, or their beginnings, for a failure before a connection is established: DNS, connect, TLS certificate. */
const connectCodes =
  /^(E(CONNREFUSED|NOTFOUND|AI_AGAIN)$|UND_ERR_CONNECT_TIMEOUT|ERR_(TLS_CERT|SSL_WRONG_VERSION)_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/**
 * Whether an error in the chain of causes has a `code` or `syscall` of a failed connection. In an `AggregateError` (one error for each
 * address tried), every error must have one.
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
