/** Answers the requests for the files of the site. */
import type { RequestListener } from "node:http";
import { setTimeout } from "node:timers/promises";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { accepts } from "hono/accepts";
import { getMimeType } from "hono/utils/mime";
import { pagePolicy } from "./policy.ts";
import { type Coding, type SiteFile, SiteFiles } from "./site-files.ts";

/** Bytes from which on a file is compressed; one below fits into a packet anyway. */
const leastCompressed = 1024;

/** Files whose name changes with their content: a hash of 8 to 16 hexadecimal or base32 digits. */
const hashedAsset = /(^|\/)assets\/[^/]+\.([0-9a-f]{8,16}|[A-Z2-7]{8,16})\.[a-z0-9]+$/;

/** Types of text, and of WebAssembly. What Pagefind writes is compressed already, and has none of them. */
const compressible = /^(text\/|application\/(javascript|json|wasm|xml|yaml)\b|image\/svg\b)/;

/** Types that Hono does not know, or not as they are wanted here. That of YAML is registered by RFC 9512. */
const types: Readonly<Record<string, string>> = {
  json: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  yaml: "application/yaml",
};

const headers = {
  "Cache-Control": "no-cache",
  // Only a header can forbid other sites to show a page in a frame; a `meta` element cannot.
  "Content-Security-Policy": `${pagePolicy}; frame-ancestors 'none'`,
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** Milliseconds between looks for a site that is just being replaced, and how many there are. */
const replacing = { pause: 20, looks: 25 };

type SiteContext = Context<{ Bindings: HttpBindings }>;

/**
 * What answers the requests.
 *
 * @param folder absolute path of the built site.
 * @param prepare is told the path below the folder before a file is looked for.
 */
export function siteListener(folder: string, prepare: (path: string) => void | Promise<void>): RequestListener {
  const files = new SiteFiles(folder);
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use((context, next) => {
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    return next();
  });
  app.get("*", (context) => answer(context, files, prepare));
  app.all("*", (context) => sendText(context, 405, "Only GET and HEAD are supported.", { Allow: "GET, HEAD" }));
  app.onError((error: Error & { code?: string }, context) =>
    sendText(context, 500, `The response failed${error.code === undefined ? "" : `: ${error.code}`}.`),
  );
  return getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    // The target is no path.
    errorHandler: () => new Response("Not found.\n", { status: 404, headers }),
  });
}

async function answer(
  context: SiteContext,
  files: SiteFiles,
  prepare: (path: string) => void | Promise<void>,
): Promise<Response> {
  // As it was sent: `URL` would resolve dot segments.
  const target = (context.env.incoming.url ?? "").replace(/^https?:\/\/[^/?]*/i, "");
  const [, path = "", query = ""] = /^([^?]*)(.*)$/s.exec(target) ?? [];
  await prepare(path.replace(/^\//, "").replace(/(^|\/)$/, "$1index.html"));
  for (let looks = 0; !files.isThere; looks += 1) {
    if (looks === replacing.looks) return sendText(context, 503, 'There is no site. Run "npm run build".');
    await setTimeout(replacing.pause);
  }
  const file = files.find(path);
  if (file !== undefined) return sendFile(context, file);
  // The relative links of the page need the slash.
  if (!path.endsWith("/") && files.find(`${path}/`) !== undefined) {
    return sendText(context, 301, "Moved.", { Location: `${path}/${query}` });
  }
  context.header("Vary", "Accept");
  const weightOf = weights(context, "Accept");
  const isHtml = weightOf("text/html", "text/*", "*/*") > weightOf("text/plain", "text/*", "*/*");
  const page = isHtml ? files.find("/404.html") : undefined;
  return page === undefined ? sendText(context, 404, "Not found.") : sendFile(context, page, 404);
}

async function sendFile(context: SiteContext, file: SiteFile, status: 200 | 404 = 200): Promise<Response> {
  const [extension = ""] = /[^.]*$/.exec(file.path) ?? [];
  const type = types[extension] ?? getMimeType(file.path) ?? "application/octet-stream";
  if (status === 200 && hashedAsset.test(file.path)) {
    context.header("Cache-Control", "public, max-age=31536000, immutable");
  }
  const canBeCompressed = compressible.test(type) && file.content.length >= leastCompressed;
  if (canBeCompressed) context.header("Vary", "Accept-Encoding", { append: true });
  const coding = canBeCompressed ? codingFor(context) : undefined;
  const tag = `"${file.hash}${coding === undefined ? "" : `-${coding}`}"`;
  context.header("ETag", tag);
  const known: string[] = context.req.header("If-None-Match")?.match(/\*|"[^"]*"/g) ?? [];
  if (status === 200 && (known.includes(tag) || known.includes("*"))) return context.body(null, 304);
  const content = coding === undefined ? file.content : await file.encoded(coding);
  if (coding !== undefined) context.header("Content-Encoding", coding);
  // A stream, since a response copies the bytes that it is given.
  const body = new ReadableStream({
    start(controller) {
      if (content.length > 0) controller.enqueue(content);
      controller.close();
    },
  });
  return context.body(body, status, { "Content-Type": type, "Content-Length": String(content.length) });
}

/** The coding that the client prefers, and of those that it likes equally the one that makes the file smallest. */
function codingFor(context: SiteContext): Coding | undefined {
  const weightOf = weights(context, "Accept-Encoding");
  const [br, gzip] = [weightOf("br", "*"), weightOf("gzip", "*")];
  if (Math.max(br, gzip) < weightOf("identity") || Math.max(br, gzip) === 0) return undefined;
  return br >= gzip ? "br" : "gzip";
}

/** How much the client wants the first of the names that its header has; 0 where it has none of them. */
function weights(context: SiteContext, header: "Accept" | "Accept-Encoding"): (...names: string[]) => number {
  let accepted: { type: string; q: number }[] = [];
  accepts(context, {
    ...{ header, supports: [], default: "" },
    match: (list) => {
      accepted = list;
      return "";
    },
  });
  return (...names) =>
    names.map((name) => accepted.find(({ type }) => type.toLowerCase() === name)?.q).find((q) => q !== undefined) ?? 0;
}

function sendText(
  context: SiteContext,
  status: 301 | 404 | 405 | 500 | 503,
  text: string,
  more: Record<string, string> = {},
): Response {
  return context.text(`${text}\n`, status, { "Content-Type": "text/plain; charset=utf-8", ...more });
}
