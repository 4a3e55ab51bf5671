/** Answers the requests for the files of the site. Express knows the conditional and the negotiated requests of HTTP. */
import type { RequestListener } from "node:http";
import { extname } from "node:path";
import { setTimeout } from "node:timers/promises";
import express, { type ErrorRequestHandler, type Request, type Response } from "express";
import { pagePolicy, policyOf } from "./policy.ts";
import { type Coding, type SiteFile, SiteFiles } from "./site-files.ts";

/** Bytes from which on a file is compressed; one below fits into a packet anyway. */
const leastCompressed = 1024;

/** Files whose name changes with their content: a hash of 8 to 16 hexadecimal or base32 digits. */
const hashedAsset = /(^|\/)assets\/[^/]+\.([0-9a-f]{8,16}|[A-Z2-7]{8,16})\.[a-z0-9]+$/;

/** Types of text, and of WebAssembly. What Pagefind writes is compressed already, and has none of them. */
const compressible = /^(text\/|application\/(javascript|json|wasm|xml|yaml)\b|image\/svg\b)/;

/** The page that Redocly makes needs a policy of its own. */
const singlePage = /(^|\/)single-page\/index\.html$/;

/** Milliseconds between looks for a site that is just being replaced, and how many there are. */
const replacing = { pause: 20, looks: 25 };

/**
 * What answers the requests.
 *
 * @param folder absolute path of the built site.
 * @param prepare is told the path below the folder before a file is looked for.
 */
export function siteListener(folder: string, prepare: (path: string) => void): RequestListener {
  const files = new SiteFiles(folder);
  const app = express();
  app.disable("x-powered-by");
  app.set("query parser", false);
  app.set("etag", false);
  app.use((_request, response, next) => {
    response.set({
      "Cache-Control": "no-cache",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
    });
    response.set("Content-Security-Policy", withoutFrames(pagePolicy));
    next();
  });
  app.use((request, response) => {
    prepare(request.path.replace(/^\//, "").replace(/(^|\/)$/, "$1index.html"));
    return answer(files, request, response);
  });
  app.use(sendError);
  return app;
}

async function answer(files: SiteFiles, request: Request, response: Response): Promise<void> {
  const { path } = request;
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.set("Allow", "GET, HEAD");
    return sendText(response, 405, "Only GET and HEAD are supported.");
  }
  for (let looks = 0; !files.isThere; looks += 1) {
    if (looks === replacing.looks) return sendText(response, 503, 'There is no site. Run "npm run build".');
    await setTimeout(replacing.pause);
  }
  const file = files.find(path);
  if (file !== undefined) return sendFile(request, response, file);
  if (!path.endsWith("/") && files.find(`${path}/`) !== undefined) {
    // The relative links of the page need the slash.
    response.location(`${path}/${/\?.*/s.exec(request.url)?.[0] ?? ""}`);
    return sendText(response, 301, "Moved.");
  }
  response.vary("Accept");
  const page = request.accepts(["text", "html"]) === "html" ? notFoundPage(files, path) : undefined;
  if (page === undefined) return sendText(response, 404, "Not found.");
  response.status(404);
  return sendFile(request, response, page);
}

/** The page of the edition whose folder the address is in; otherwise that of the site. */
function notFoundPage(files: SiteFiles, path: string): SiteFile | undefined {
  const [, edition] = path.split("/");
  return files.find(`/${edition}/404.html`) ?? files.find("/404.html");
}

async function sendFile(request: Request, response: Response, file: SiteFile): Promise<void> {
  const type = extname(file.path);
  // The type that RFC 9512 has registered.
  response.type(type === ".yaml" ? "application/yaml" : type);
  if (response.statusCode === 200 && hashedAsset.test(file.path)) {
    response.set("Cache-Control", "public, max-age=31536000, immutable");
  }
  const ownPolicy = singlePage.test(file.path) ? policyOf(file.content.toString()) : undefined;
  if (ownPolicy !== undefined) response.set("Content-Security-Policy", withoutFrames(ownPolicy));
  const canBeCompressed =
    compressible.test(response.get("Content-Type") ?? "") && file.content.length >= leastCompressed;
  if (canBeCompressed) response.vary("Accept-Encoding");
  const coding = canBeCompressed ? codingFor(request) : undefined;
  response.set("ETag", `"${file.hash}${coding === undefined ? "" : `-${coding}`}"`);
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  if (coding !== undefined) response.set("Content-Encoding", coding);
  response.send(coding === undefined ? file.content : await file.encoded(coding));
}

/** The coding that the client prefers, and of those that it likes equally the one that makes the file smallest. */
function codingFor(request: Request): Coding | undefined {
  const hasWeights = /;\s*q=/i.test(request.get("Accept-Encoding") ?? "");
  const choices: string[][] = hasWeights ? [["br", "gzip", "identity"]] : [["br"], ["gzip"]];
  const coding = choices.map((names) => request.acceptsEncodings(...names)).find((name) => name !== false);
  return coding === "br" || coding === "gzip" ? coding : undefined;
}

/** What could not be read, and what Express itself refuses. */
const sendError: ErrorRequestHandler = (error: { status?: number; code?: string }, _request, response, _next) => {
  sendText(response, error.status ?? 500, `The answer failed${error.code === undefined ? "" : `: ${error.code}`}.`);
};

function sendText(response: Response, status: number, text: string): void {
  response.status(status).type("text").send(`${text}\n`);
}

/** Only a header can forbid other sites to show a page in a frame; a `meta` element cannot. */
function withoutFrames(policy: string): string {
  return `${policy}; frame-ancestors 'none'`;
}
