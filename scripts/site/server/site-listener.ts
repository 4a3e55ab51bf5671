/** Handles requests for the files of the site. */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import { etag } from "hono/etag";
import { getMimeType } from "hono/utils/mime";
import { pagePolicy } from "./policy.ts";

/** Files with a content hash in their name: 8 to 16 hexadecimal or base32 digits. */
const hashedAsset = /(^|\/)assets\/[^/]+\.([0-9a-f]{8,16}|[A-Z2-7]{8,16})\.[a-z0-9]+$/;

/** Text types, which are compressed. */
const compressible = /^(text\/|application\/(javascript|json|xml|atom\+xml|yaml)\b|image\/svg\b)/;

/** Media types that differ from Hono's. RFC 9512 registers that of YAML. */
const types: Readonly<Record<string, string>> = {
  atom: "application/atom+xml; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  yaml: "application/yaml",
};

const headers = {
  "Cache-Control": "no-cache",
  // Framing by other sites can be forbidden only in a header, not in a `meta` element.
  "Content-Security-Policy": `${pagePolicy}; frame-ancestors 'none'`,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

type SiteContext = Context<{ Bindings: HttpBindings }>;

/**
 * Makes the request listener. A rebuilt site is served immediately.
 *
 * @param folder absolute path of the built site.
 * @param prepare called with the path below the folder before the file is read.
 */
export function siteListener(folder: string, prepare: (path: string) => void | Promise<void>): RequestListener {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use((context, next) => {
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    return next();
  });
  app.use(compress({ encoding: "gzip", contentTypeFilter: compressible }));
  app.use(etag());
  app.get("*", async (context) => {
    // The raw target, since `URL` would resolve dot segments.
    const target = (context.env.incoming.url ?? "").replace(/^https?:\/\/[^/?]*/i, "");
    const [, path = "", query = ""] = /^([^?]*)(.*)$/s.exec(target) ?? [];
    await prepare(path.replace(/^\//, "").replace(/(^|\/)$/, "$1index.html"));
    if (!existsSync(folder)) return sendText(context, 503, 'There is no site. Run "npm run build".');
    const file = readFile(folder, path);
    if (file !== undefined) return sendFile(context, path, file);
    // Redirects, because the page's relative links need the slash.
    if (!path.endsWith("/") && readFile(folder, `${path}/`) !== undefined) {
      return sendText(context, 301, "Moved.", { Location: `${path}/${query}` });
    }
    context.header("Vary", "Accept");
    const wantsPage = context.req.header("Accept")?.includes("text/html");
    const page = wantsPage ? readFile(folder, "/404.html") : undefined;
    return page === undefined ? sendText(context, 404, "Not found.") : sendFile(context, "/404.html", page, 404);
  });
  app.all("*", (context) => sendText(context, 405, "Only GET and HEAD are supported.", { Allow: "GET, HEAD" }));
  app.onError((error: Error & { code?: string }, context) =>
    sendText(context, 500, `The response failed${error.code === undefined ? "" : `: ${error.code}`}.`),
  );
  return getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    // For a target that is not a path.
    errorHandler: () => new Response("Not found.\n", { status: 404, headers }),
  });
}

/**
 * The file for the path of a URL; for a path that ends with a slash, the `index.html` of that folder.
 *
 * @returns undefined when there is no such file. Hidden files, symbolic links and files outside of the folder are not served.
 * @throws {Error} when an existing file cannot be read.
 */
function readFile(folder: string, urlPath: string): Buffer | undefined {
  const [first, ...segments] = (urlPath.endsWith("/") ? `${urlPath}index.html` : urlPath).split("/");
  try {
    const names = segments.map(decodeURIComponent);
    if (first !== "" || !names.every((name) => /^[^./\\\0][^/\\\0]*$/.test(name))) return undefined;
    const path = join(folder, ...names);
    if (realpathSync(path) !== join(realpathSync(folder), ...names) || !statSync(path).isFile()) return undefined;
    return readFileSync(path);
  } catch (error) {
    // Malformed percent-encoding is a URIError.
    const isNone =
      error instanceof URIError || /^E(NOENT|NOTDIR|NAMETOOLONG|LOOP)$/.test((error as { code: string }).code);
    if (isNone) return undefined;
    throw error;
  }
}

function sendFile(context: SiteContext, path: string, file: Buffer, status: 200 | 404 = 200): Response {
  const name = path.replace(/\/$/, "/index.html");
  const type = types[/[^.]*$/.exec(name)?.[0] ?? ""] ?? getMimeType(name) ?? "application/octet-stream";
  if (status === 200 && hashedAsset.test(path)) {
    context.header("Cache-Control", "public, max-age=31536000, immutable");
  }
  return context.body(file as Uint8Array<ArrayBuffer>, status, {
    "Content-Type": type,
    "Content-Length": String(file.length),
  });
}

function sendText(
  context: SiteContext,
  status: 301 | 404 | 405 | 500 | 503,
  text: string,
  more: Record<string, string> = {},
): Response {
  return context.text(`${text}\n`, status, { "Content-Type": "text/plain; charset=utf-8", ...more });
}
