import type { IncomingMessage } from "node:http";

export interface Target {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Does not use `URL`, which would resolve dot segments and reject some targets. */
export function readTarget({ method = "GET", url = "/" }: IncomingMessage): Target {
  const target = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "");
  const [path = "", ...query] = target.split("?");
  return { method, path, query: new URLSearchParams(query.join("?")) };
}
