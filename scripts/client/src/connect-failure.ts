/** Error codes of Node and undici, or their beginnings, for a failure before a connection is established: DNS, connect, TLS certificate. */
const connectCodes =
  /^(E(CONNREFUSED|NOTFOUND|AI_AGAIN)$|UND_ERR_CONNECT_TIMEOUT|ERR_(TLS_CERT|SSL_WRONG_VERSION)_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/**
 * Whether the client's own connection to the service failed, so that nothing was sent: an error in the chain of causes has a `code` or
 * `syscall` of a failed connection, and its address is the service's. In an `AggregateError` (one error for each address tried), every
 * error must be of this kind.
 *
 * @param isOwn whether only the client and the platform's `fetch` were at work. A `fetch` or agent of the partner may make other
 * connections, after the response too, so an error whose address cannot be compared proves nothing.
 */
export function isConnectFailure(rejection: unknown, service: URL, isOwn: boolean, depth = 0): boolean {
  try {
    const error = Object(rejection) as Record<string, unknown>;
    const { code, syscall, errors, cause } = error;
    const isSame = (each: unknown) => isConnectFailure(each, service, isOwn, depth + 1);
    if (Array.isArray(errors) && errors.length > 0) return errors.every(isSame);
    if (syscall === "connect" || syscall === "getaddrinfo" || connectCodes.test(`${code}`)) {
      return isAddressOf(error, service) ?? isOwn;
    }
    return depth < 5 && isSame(cause);
  } catch {
    // A getter or a proxy threw.
    return false;
  }
}

/** Undefined when the error has no address, or an IP address that may or may not belong to the service's name. */
function isAddressOf({ hostname, address, port }: Record<string, unknown>, service: URL): boolean | undefined {
  const name = service.hostname.replace(/^\[|\]$/g, "");
  if (typeof hostname === "string") return hostname.toLowerCase() === name;
  if (typeof address !== "string") return undefined;
  const servicePort = service.port || (service.protocol === "https:" ? "443" : "80");
  if (port !== undefined && `${port as number}` !== servicePort) return false;
  if (name === "localhost") return /^(127\.|::1$)/.test(address) && port !== undefined;
  const isLiteral = /^[\d.]+$|:/.test(name);
  return isLiteral ? address === name && port !== undefined : undefined;
}
