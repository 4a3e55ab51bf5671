/** Access to the control interface over HTTP. Local programs may use it; pages of other sites in the user's browser may not. */
import type { IncomingMessage } from "node:http";
import { isControlPath } from "../request/control-path.ts";
import { jsonReply, type MockReply } from "../response/replies.ts";

const open: readonly string[] = ["access-control-allow-origin", "*", "access-control-expose-headers", "*"];

const none: readonly string[] = [];

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
    this.#hosts = new Set([nameOf(host.includes(":") ? `[${host}]` : host), ...urls.map(({ hostname }) => hostname)]);
  }

  refuse(request: IncomingMessage, path: string): MockReply | undefined {
    if (!isControlPath(path)) return undefined;
    const { host = "", origin, "sec-fetch-site": site } = request.headers;
    const name = nameOf(host);
    // Protects against DNS rebinding, where a foreign host name resolves to this machine: host names must be known, IP addresses are safe.
    const isAnyAddress = /^(0\.0\.0\.0|::)$/.test(this.#host) && /^(\[|[\d.]+$)/.test(name);
    if (host !== "" && !isLoopback(name) && !this.#hosts.has(name) && !isAnyAddress) {
      return refusal(`the host ${JSON.stringify(host)}`, `http://${host}`);
    }
    const isForeign =
      origin === undefined
        ? site !== undefined && site !== "same-origin" && site !== "none"
        : origin !== `http://${host}` && !this.#origins.has(origin);
    return isForeign ? refusal(`pages of ${origin ?? "another site"}`, origin ?? "ORIGIN") : undefined;
  }

  headersFor({ headers: { origin } }: IncomingMessage, path: string): readonly string[] {
    // A request without an origin is not from a page, and needs no CORS headers.
    if (origin === undefined) return none;
    if (!isControlPath(path)) return open;
    if (!this.#origins.has(origin)) return none;
    return ["access-control-allow-origin", origin, "access-control-expose-headers", "*", "vary", "origin"];
  }
}

export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

function nameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
}

function refusal(who: string, origin: string): MockReply {
  const message = `The control interface does not answer ${who}. If it should, start the mock with --allow-origin ${origin}`;
  return { ...jsonReply(403, { message }), notes: ["Refused: another host or site."] };
}
