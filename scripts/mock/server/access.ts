/** Who may use the control interface over HTTP: whoever runs the mock, and no page of another site in the same browser. */
import type { IncomingMessage } from "node:http";
import { isControlPath } from "../request/control-path.ts";
import { jsonReply, type MockReply } from "../response/replies.ts";

/** Headers that let a page of any origin use a response. */
const open: readonly string[] = ["access-control-allow-origin", "*", "access-control-expose-headers", "*"];

const none: readonly string[] = [];

export interface AccessOptions {
  /** The name or address that the mock listens on; "127.0.0.1" by default. */
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

  /** The response to a request that may not use the control interface; undefined to any other request. */
  refuse(request: IncomingMessage, path: string): MockReply | undefined {
    if (!isControlPath(path)) return undefined;
    const { host = "", origin, "sec-fetch-site": site } = request.headers;
    const name = nameOf(host);
    // A page could have its own name lead to this address. An IP address leads nowhere else.
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

  /** The headers by which a browser decides whether a page may use the response. */
  headersFor({ headers: { origin } }: IncomingMessage, path: string): readonly string[] {
    // A program that is no page says no origin, and needs none of them.
    if (origin === undefined) return none;
    if (!isControlPath(path)) return open;
    if (!this.#origins.has(origin)) return none;
    return ["access-control-allow-origin", origin, "access-control-expose-headers", "*", "vary", "origin"];
  }
}

/** Whether a name or an address, as it stands in a URL, leads to this machine only. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

/** The name in a Host header, as it stands in a URL; empty where there is none. */
function nameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
}

function refusal(who: string, origin: string): MockReply {
  const message = `The control interface does not answer ${who}. If it should, start the mock with --allow-origin ${origin}`;
  return { ...jsonReply(403, { message }), notes: ["Refused: another host or site."] };
}
