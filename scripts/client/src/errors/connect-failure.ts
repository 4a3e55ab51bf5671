import type { FailureFacts } from "./to-error.ts";

/** Error codes of Node and undici, or their prefixes, for a failure before a connection is established: DNS, connect, TLS handshake. */
const connectCodes =
  /^(E(CONNREFUSED|NOTFOUND|AI_AGAIN)$|UND_ERR_CONNECT_TIMEOUT|ERR_(TLS_CERT|SSL_WRONG_VERSION)_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

interface FetchOptions {
  readonly fetch?: unknown;
  readonly fetchOptions?: { readonly dispatcher?: object } | undefined;
}

/**
 * Whether a rejection of `fetch` shows that nothing was sent to the service, because the client's own connection to it failed. The reason of
 * an abort shows nothing: it can be an error of another connection.
 */
export function isConnectFailure(
  { kind, cause }: Pick<FailureFacts, "kind" | "cause">,
  url: string,
  options: FetchOptions,
): boolean {
  return kind === "network" && isFailedConnection(cause, new URL(url), isPlatformFetch(options));
}

/** False with a custom `fetch` or dispatcher, or if the source of the global `fetch` looks like a wrapper. */
function isPlatformFetch({ fetch, fetchOptions }: FetchOptions): boolean {
  if (fetch !== undefined || fetchOptions?.dispatcher !== undefined) return false;
  return platformSource.test(Function.prototype.toString.call(globalThis.fetch));
}

/**
 * Matches the source of the platform's `fetch`: native code, or in Node a JavaScript function that loads undici. The source of a proxy and
 * of a bound function is native code without the name.
 */
const platformSource = /^(?:async )?function fetch\((?:input, init = undefined\) \{|\) \{\s*\[native code)/;

/**
 * Whether an error, or one of its causes, shows a failed connection to the service, by its `code` or `syscall` and the address of the
 * service. In an `AggregateError` (one error for each address tried), every error must show such a failure.
 *
 * @param isPlatform whether only the platform makes connections. A custom `fetch` or dispatcher may make other connections, even after the
 * response, so with one of these an error whose address cannot be compared proves nothing.
 */
function isFailedConnection(rejection: unknown, service: URL, isPlatform: boolean, depth = 0): boolean {
  try {
    const error = Object(rejection) as Record<string, unknown>;
    const { code, syscall, errors, cause } = error;
    const isFailure = (innerError: unknown) => isFailedConnection(innerError, service, isPlatform, depth + 1);
    if (Array.isArray(errors) && errors.length > 0) return errors.every(isFailure);
    if (syscall === "connect" || syscall === "getaddrinfo" || connectCodes.test(`${code}`)) {
      return hasAddressOf(error, service) ?? isPlatform;
    }
    return depth < 5 && isFailure(cause);
  } catch {
    // A getter or a proxy threw.
    return false;
  }
}

/**
 * Whether an error has the address of the service. Undefined if the addresses cannot be compared: the error has none, or has an IP address
 * while the service has a name other than `localhost`. Another port is another address.
 */
function hasAddressOf({ hostname, address, port }: Record<string, unknown>, service: URL): boolean | undefined {
  const name = service.hostname.replace(/^\[|\]$/g, "");
  if (typeof hostname === "string") return hostname.toLowerCase() === name;
  if (typeof address !== "string") return undefined;
  const servicePort = service.port || (service.protocol === "https:" ? "443" : "80");
  if (port !== undefined && `${port as number}` !== servicePort) return false;
  if (name === "localhost") return /^(127\.|::1$)/.test(address) && port !== undefined;
  const isLiteral = /^[\d.]+$|:/.test(name);
  return isLiteral ? address === name && port !== undefined : undefined;
}
