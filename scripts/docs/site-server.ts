/** Serves the built site with sirv. */
import { existsSync, readFileSync } from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Readable } from "node:stream";
import sirv from "sirv";
import { UsageError } from "../contract/index.ts";
import { policyOf } from "./page.ts";

export interface SiteOptions {
  /** Absolute path of the built site. */
  folder: string;
  /** 0 takes a free port. */
  port: number;
  /** 127.0.0.1 by default. */
  host?: string;
  /** The option of the command that sets the port, for the message when the port is in use. */
  portOption?: string;
}

export interface Site {
  /** Address of the site, without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

/**
 * Serves the built site. A site that is built again is served at once.
 *
 * @throws {UsageError} when the site was not built, or the port or host cannot be used.
 */
export async function serveSite({
  folder,
  port,
  host = "127.0.0.1",
  portOption = "--port",
}: SiteOptions): Promise<Site> {
  if (!existsSync(join(folder, "index.html"))) {
    throw new UsageError(`There is no site in ${folder}. Run "npm run build" first.`);
  }
  const server = createServer(siteListener(folder));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const inUse = `Port ${port} on ${host} is in use. Choose another one with ${portOption}.`;
      const other = `The site cannot be served on ${host}, port ${port}: ${error.message}`;
      reject(new UsageError(error.code === "EADDRINUSE" ? inUse : other));
    });
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * sirv, and what it cannot do:
 *
 * - answer 405: it treats every method like GET;
 * - redirect a folder without the slash at its end (`/latest`), which the relative links of its page need;
 * - send a text with a 404;
 * - survive a `Range` that ends before it starts, or a file that a new build removes while it is read: it catches neither
 *   error, and the process would end;
 * - refuse symbolic links that lead out of the folder. This is left as it is, since the built site has none.
 */
function siteListener(folder: string): RequestListener {
  const serveFile = sirv(folder, {
    // Looks for the file at each request, so that a site that was built again is served.
    dev: true,
    etag: true,
    // Only exact paths: no `/latest/openapi` for `/latest/openapi.html`.
    extensions: [],
    setHeaders: (response, path) => setHeaders(response, join(folder, path)),
  });
  return (request, response) => {
    const [path = "", query = ""] = (request.url ?? "").split(/(\?.*)/s);
    if (request.method !== "GET" && request.method !== "HEAD") {
      return sendText(response, 405, "Only GET and HEAD are supported.", { Allow: "GET, HEAD" });
    }
    if (/^(\/[\w-]+)+$/.test(path) && existsSync(join(folder, path, "index.html"))) {
      return sendText(response, 301, "Moved.", { Location: `${path}/${query}` });
    }
    if (path.endsWith("/")) request.url = `${path}index.html`;
    delete request.headers.range;
    response.on("pipe", (file: Readable) => {
      file.on("error", () => response.destroy());
      response.on("close", () => file.destroy());
    });
    try {
      serveFile(request, response, () => sendText(response, 404, "Not found."));
    } catch {
      response.destroy();
    }
  };
}

/** A page is sent with its own Content-Security-Policy, everything else with one that allows nothing. */
function setHeaders(response: ServerResponse, file: string): void {
  const policy = extname(file) === ".html" ? policyOf(readFileSync(file, "utf8")) : undefined;
  response.setHeaders(new Map(Object.entries(safetyHeaders(policy))));
  if (extname(file) === ".yaml") response.setHeader("Content-Type", "application/yaml; charset=utf-8");
}

function sendText(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...safetyHeaders(), "Content-Type": "text/plain; charset=utf-8", ...headers });
  response.end(`${text}\n`);
}

function safetyHeaders(policy = "default-src 'none'"): Record<string, string> {
  return {
    "Content-Security-Policy": `${policy}; frame-ancestors 'none'`,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
  };
}
