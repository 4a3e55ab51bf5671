/** Access to the control interface over HTTP. Local programs may use it; pages of other sites in the user's browser may not. */
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
    const own = ownOrigin(request);
    const forwarded = own.slice(own.indexOf("//") + 2);
    // Protects against DNS rebinding, where a foreign host name resolves to this machine: host names must be known, IP addresses are safe.
    const unknown = [host, forwarded].find((one) => one !== "" && !this.#isKnown(hostnameOf(one)));
    if (unknown !== undefined) {
      const example = hostnameOf(unknown) === "" ? "ORIGIN" : `http://${unknown}`;
      return refusal(`the host ${JSON.stringify(unknown)}`, example);
    }
    const isForeign =
      origin === undefined
        ? site !== undefined && site !== "same-origin" && site !== "none"
        : origin !== own && origin !== `http://${host}` && !this.#origins.has(origin);
    if (!isForeign) return undefined;
    // The origin `null` is that of local files and sandboxed frames; it cannot be admitted.
    if (origin === "null") return refusal("pages without an origin, such as a local file", "ORIGIN");
    return refusal(`pages of ${origin ?? "another site"}`, origin ?? "ORIGIN");
  }

  #isKnown(name: string): boolean {
    const isAnyAddress = isUnspecified(this.#host) && /^(\[|[\d.]+$)/.test(name);
    return isLoopback(name) || this.#hosts.has(name) || isAnyAddress;
  }

  headersFor({ headers: { origin } }: IncomingMessage, path: string): readonly string[] {
    // A request without an origin is not from a page, and needs no CORS headers.
    if (origin === undefined) return noHeaders;
    if (!isControlPath(path)) return anyOriginHeaders;
    if (!this.#origins.has(origin)) return noHeaders;
    return ["access-control-allow-origin", origin, "access-control-expose-headers", "*", "vary", "origin"];
  }
}

export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

/** Whether a host stands for all addresses of this machine, which nobody can call. */
export function isUnspecified(host: string): boolean {
  return /^(0\.0\.0\.0|\[?::\]?)$/.test(host);
}

/** The origin under which the client called: that of the proxy, if one says so. */
export function ownOrigin({ headers }: Pick<IncomingMessage, "headers">): string {
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

function refusal(who: string, origin: string): MockReply {
  const message = `The control interface does not answer ${who}. If it should, start the mock with --allow-origin ${origin}`;
  return { ...jsonReply(403, { message }), notes: ["Refused: another host or site."] };
}
