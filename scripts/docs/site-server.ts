/** A small server for the built site. */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, sep } from "node:path";
import { UsageError } from "../contract/usage-error.ts";
import { policyOf } from "./seal.ts";

export interface SiteOptions {
  /** Absolute path of the built site. */
  folder: string;
  /** 0 takes a free port. */
  port: number;
  host?: string;
  /** The option of the command that sets the port, for the message when the port is taken. */
  portOption?: string;
}

export interface Site {
  /** Address of the site, without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

const contentTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".yaml": "application/yaml; charset=utf-8",
};

/**
 * Serves the built site. It answers GET and HEAD, for nothing outside of the folder, and sends with each page the
 * Content-Security-Policy that the page itself carries.
 *
 * @throws {UsageError} when the site was not built, or the port or host cannot be used.
 */
export async function serveSite({
  folder,
  port,
  host = "127.0.0.1",
  portOption = "--port",
}: SiteOptions): Promise<Site> {
  if (findFile(folder, "/index.html") === undefined) {
    throw new UsageError(`There is no site in ${folder}. Run "npm run build" first.`);
  }
  const server = createServer((request, response) => answer(folder, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(listenError(error, { port, host, portOption })));
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

function listenError(
  error: NodeJS.ErrnoException,
  { port, host, portOption }: { port: number; host: string; portOption: string },
): Error {
  if (error.code === "EADDRINUSE") {
    return new UsageError(`Port ${port} on ${host} is in use. Choose another one with ${portOption}.`);
  }
  return new UsageError(`The site cannot be served on ${host}, port ${port}: ${error.message}`);
}

function answer(folder: string, request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    sendText(response, 405, "Only GET and HEAD are answered here.", { Allow: "GET, HEAD" });
    return;
  }
  const [path = "/", query] = (request.url ?? "/").split(/\?(.*)/s);
  const file = findFile(folder, path);
  if (file === undefined) {
    sendText(response, 404, "There is no such page.");
    return;
  }
  // Links within a page are relative, so a folder needs its slash.
  if (file.isFolder) {
    const location = `${path}/${query === undefined ? "" : `?${query}`}`;
    sendText(response, 301, "The page is one slash further.", { Location: location });
    return;
  }
  const body = readFileSync(file.path);
  const policy = (extname(file.path) === ".html" && policyOf(body.toString("utf8"))) || "default-src 'none'";
  response.writeHead(200, {
    ...safetyHeaders(policy),
    "Content-Type": contentTypes[extname(file.path)] ?? "application/octet-stream",
    "Content-Length": body.length,
    "Cache-Control": "no-cache",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/**
 * The file behind a path of a request, or undefined when there is none within the folder. A folder without a slash at the
 * end of its path is told apart.
 */
function findFile(folder: string, path: string): { path: string; isFolder: boolean } | undefined {
  const decoded = decode(path);
  if (decoded === undefined || !decoded.startsWith("/") || decoded.startsWith("//") || /[\0\\]/.test(decoded)) {
    return undefined;
  }
  try {
    const root = realpathSync(folder);
    const found = realpathSync(join(root, decoded.endsWith("/") ? `${decoded}index.html` : decoded));
    if (!found.startsWith(root + sep)) return undefined;
    const stats = statSync(found);
    if (stats.isDirectory()) return { path: found, isFolder: true };
    return stats.isFile() ? { path: found, isFolder: false } : undefined;
  } catch {
    return undefined;
  }
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function sendText(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    ...safetyHeaders("default-src 'none'"),
    "Content-Type": "text/plain; charset=utf-8",
    ...headers,
  });
  response.end(`${text}\n`);
}

function safetyHeaders(policy: string): Record<string, string> {
  return {
    "Content-Security-Policy": `${policy}; frame-ancestors 'none'`,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
  };
}
