/** Access to the control interface over HTTP: local programs may use it, but pages of other sites in the user's browser may not. */
import type { IncomingMessage } from "node:http";
import { isControlPath } from "../request/control-path.ts";
import { jsonReply, type MockReply } from "../response/replies.ts";

/** Headers that permit pages of any origin to read a response. */
const open: readonly string[] = ["access-control-allow-origin", "*", "access-control-expose-headers", "*"];

const none: readonly string[] = [];

export interface AccessOptions {
  /** The host name or address to listen on; "127.0.0.1" by default. */
  readonly host?: string | undefined;
  /** Origins whose pages may use the control interface, besides that of the mock itself. */
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

  /** The refusal of a control request; undefined when it is permitted. */
  refuse(request: IncomingMessage, path: string): MockReply | undefined {
    if (!isControlPath(path)) return undefined;
    const { host = "", origin, "sec-fetch-site": site } = request.headers;
    const name = nameOf(host);
    // Against DNS rebinding (a foreign host name that resolves to this machine), host names must be known; IP addresses are safe.
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
    // Only browsers send an origin; other programs need no headers.
    if (origin === undefined) return none;
    if (!isControlPath(path)) return open;
    if (!this.#origins.has(origin)) return none;
    return ["access-control-allow-origin", origin, "access-control-expose-headers", "*", "vary", "origin"];
  }
}

/** Whether a host of a URL is always this machine. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

/** The host name in a Host header, in the form of a URL; empty if there is none. */
function nameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
}

function refusal(who: string, origin: string): MockReply {
  const message = `The control interface does not answer ${who}. If it should, start the mock with --allow-origin ${origin}`;
  return { ...jsonReply(403, { message }), notes: ["Refused: another host or site."] };
}
