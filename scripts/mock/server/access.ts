/** Pages of other sites in the user's browser may use the control interface only if `allowOrigin` admits them. */
import type { IncomingMessage } from "node:http";
import { isControlPath } from "../request/control-path.ts";
import { jsonReply, type MockReply } from "../response/replies.ts";

const anyOriginHeaders: readonly string[] = ["access-control-allow-origin", "*", "access-control-expose-headers", "*"];

const noHeaders: readonly string[] = [];

export interface AccessOptions {
  readonly host?: string | undefined;
  readonly allowOrigin?: readonly string[] | undefined;
}

export class AccessControl {
  readonly #host: string;
  readonly #origins: ReadonlySet<string>;
  readonly #hosts: ReadonlySet<string>;

  constructor({ host = "127.0.0.1", allowOrigin = [] }: AccessOptions = {}) {
    const urls = allowOrigin.map((origin) => new URL(origin));
    this.#host = host;
    this.#origins = new Set(urls.map(({ origin }) => origin));
    this.#hosts = new Set([
      hostnameOf(host.includes(":") ? `[${host}]` : host),
      ...urls.map(({ hostname }) => hostname),
    ]);
  }

  refusalFor(request: IncomingMessage, path: string): MockReply | undefined {
    if (!isControlPath(path)) return undefined;
    const { host = "", origin, "sec-fetch-site": site } = request.headers;
    const calledOrigin = calledOriginOf(request);
    const forwardedHost = calledOrigin.slice(calledOrigin.indexOf("//") + 2);
    // Against DNS rebinding, where a foreign host name resolves to this machine, only known hosts are accepted. An IP address cannot be
    // rebound, so any IP address is accepted if the mock listens on all addresses.
    const unknownHost = [host, forwardedHost].find(
      (candidate) => candidate !== "" && !this.#isKnown(hostnameOf(candidate)),
    );
    if (unknownHost !== undefined) {
      const example = hostnameOf(unknownHost) === "" ? "ORIGIN" : `http://${unknownHost}`;
      return refusal(`the host ${JSON.stringify(unknownHost)}`, example);
    }
    const isForeign =
      origin === undefined
        ? site !== undefined && site !== "same-origin" && site !== "none"
        : origin !== calledOrigin && origin !== `http://${host}` && !this.#origins.has(origin);
    if (!isForeign) return undefined;
    // Local files and sandboxed frames have the origin `null`, which --allow-origin cannot admit.
    if (origin === "null") return refusal("pages without an origin, such as a local file", "ORIGIN");
    return refusal(`pages of ${origin ?? "another site"}`, origin ?? "ORIGIN");
  }

  #isKnown(name: string): boolean {
    const isAnyAddress = isUnspecified(this.#host) && /^(\[|[\d.]+$)/.test(name);
    return isLoopback(name) || this.#hosts.has(name) || isAnyAddress;
  }

  headersFor({ headers: { origin } }: IncomingMessage, path: string): readonly string[] {
    // A request without the header Origin is not a CORS request, so its response needs no CORS headers.
    if (origin === undefined) return noHeaders;
    if (!isControlPath(path)) return anyOriginHeaders;
    if (!this.#origins.has(origin)) return noHeaders;
    return ["access-control-allow-origin", origin, "access-control-expose-headers", "*", "vary", "origin"];
  }
}

export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

/** Whether a host means all addresses of this machine. A server can listen on such a host, but not every client can call it. */
export function isUnspecified(host: string): boolean {
  return /^(0\.0\.0\.0|\[?::\]?)$/.test(host);
}

/** If the request has `x-forwarded-*` headers, this is the origin of the proxy. */
export function calledOriginOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const firstValue = (name: string) =>
    String(headers[name] ?? "")
      .split(",", 1)[0]
      ?.trim() || undefined;
  const scheme = firstValue("x-forwarded-proto") === "https" ? "https" : "http";
  return `${scheme}://${firstValue("x-forwarded-host") ?? headers.host ?? ""}`;
}

function hostnameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
}

function refusal(callerText: string, origin: string): MockReply {
  const message = `The control interface does not answer ${callerText}. If it should, start the mock with --allow-origin ${origin}`;
  return { ...jsonReply(403, { message }), notes: ["Refused: another host or site."] };
}
