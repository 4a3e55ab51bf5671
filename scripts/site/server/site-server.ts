import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, posix } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import { editions, UsageError } from "../../base/index.ts";
import type { Address } from "../../contract/model/index.ts";
import { listen, stop } from "../../mock/server/index.ts";
import { redocName } from "../content/pages.ts";
import { pagePolicy } from "./policy.ts";

interface SiteOptions {
  folder: string;
  /** 0 means any free port. */
  port: number;
  host?: string;
  /** The option that sets the port, for the message if the port is in use. */
  portOption?: string;
  /** Called before a file is read, with its path relative to `folder`. The function may write the file. */
  prepare?: (path: string) => void | Promise<void>;
  /** The addresses of the mock, which the pages show and call. Default: the addresses in `samples/addresses.ts`. */
  mock?: () => Record<Address, string> | undefined;
}

export interface Site {
  /** Without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

const idleTimeoutMs = 60_000;

/**
 * A rebuilt site is served immediately.
 *
 * @throws {UsageError} if the site was not built, or the port or host cannot be used.
 */
export async function serveSite({
  folder,
  port,
  host = "127.0.0.1",
  portOption = "--port",
  prepare = () => {},
  mock = () => undefined,
}: SiteOptions): Promise<Site> {
  if (!existsSync(join(folder, "index.html"))) {
    throw new UsageError(`There is no site in ${folder}. Run "npm run build" first.`);
  }
  const { fetch } = appFor({ folder, prepare, mock });
  const server = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
  server.timeout = idleTimeoutMs;
  return { url: await listen(server, { port, host, option: portOption }), close: () => stop(server) };
}

const headers = {
  "Cache-Control": "no-cache",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** Media types that Hono lacks. RFC 9512 registers the type of YAML. */
const mediaTypes: Readonly<Record<string, string>> = {
  ".atom": "application/atom+xml",
  ".md": "text/markdown; charset=utf-8",
  ".yaml": "application/yaml",
};

/** The file name contains a content hash of esbuild. */
const hashedAsset = /\/assets\/[^/]+\.[A-Z2-7]{8}\.[a-z0-9]+$/;

type Settings = Required<Pick<SiteOptions, "folder" | "prepare" | "mock">>;

function appFor({ folder, prepare, mock }: Settings): Hono {
  const app = new Hono();
  app.use(setHeaders, compress({ encoding: "gzip" }), etag());
  app.get("*", async (context, next) => {
    const { path, url } = context.req;
    await prepare(path.replace(/^\//, "").replace(/(^|\/)$/, "$1index.html"));
    // The page's relative links need the slash at the end. The redirect is relative, so it cannot lead to another host.
    if (!path.endsWith("/") && existsSync(join(folder, path, "index.html")))
      return context.redirect(`${posix.basename(path)}/${new URL(url).search}`, 301);
    await next();
    const type = mediaTypes[extname(path)];
    if (context.res.ok && type !== undefined) context.header("Content-Type", type);
    const addresses = mock();
    if (addresses !== undefined) await insertAddresses(context, addresses);
  });
  app.get("*", serveStatic({ root: folder }));
  app.all("*", (context) => respondNotFound(context, join(folder, "404.html")));
  return app;
}

const setHeaders: MiddlewareHandler = async (context, next) => {
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  // The files of Redoc have an inline script, which `pagePolicy` would block, and a policy of their own in a `meta` element.
  const isRedoc = editions.some((edition) => context.req.path === `/${redocName(edition)}`);
  // Only a header can forbid other sites to frame a page; a `meta` element cannot.
  context.header("Content-Security-Policy", `${isRedoc ? "" : `${pagePolicy}; `}frame-ancestors 'none'`);
  await next();
  if (context.res.ok && hashedAsset.test(context.req.path))
    context.header("Cache-Control", "public, max-age=31536000, immutable");
};

/** Writes the addresses of the mock into a page, whose scripts read them there. */
async function insertAddresses(context: Context, addresses: Record<Address, string>): Promise<void> {
  if (!context.res.headers.get("Content-Type")?.startsWith("text/html")) return;
  const { base_url: baseUrl, deposit_base_url: depositBaseUrl } = addresses;
  const page = (await context.res.text()).replace(
    "<html ",
    `<html data-base-url="${baseUrl}" data-deposit-base-url="${depositBaseUrl}" `,
  );
  context.res = new Response(page, context.res);
  context.res.headers.delete("Content-Length");
}

function respondNotFound(context: Context, page: string): Response | Promise<Response> {
  if (!/GET|HEAD/.test(context.req.method))
    return context.text("Only GET and HEAD are supported.\n", 405, { Allow: "GET, HEAD" });
  context.header("Vary", "Accept");
  return context.req.header("Accept")?.includes("text/html") && existsSync(page)
    ? context.html(readFileSync(page, "utf8"), 404)
    : context.text("Not found.\n", 404);
}
