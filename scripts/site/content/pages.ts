import { posix } from "node:path";
import type { Edition } from "../../base/index.ts";
import type { Operation } from "../../contract/model/index.ts";

const singlePaths = {
  home: "index.html",
  guides: "guides/index.html",
  operations: "operations/index.html",
  webhooks: "webhooks/index.html",
  errors: "errors/index.html",
  lifecycles: "lifecycles/index.html",
  questions: "questions/index.html",
  downloads: "about/downloads.html",
  changelog: "about/changelog.html",
  "not-found": "404.html",
};
export type SinglePage = keyof typeof singlePaths;

const folders = {
  area: "areas",
  operation: "operations",
  webhook: "webhooks",
  error: "errors",
  lifecycle: "lifecycles",
  guide: "guides",
  "questions-of": "questions",
};

export type PageRef = { kind: SinglePage } | { kind: keyof typeof folders; name: string };

export type Target = PageRef & { anchor?: string | undefined };

/** Relative to the site root. */
export function pathOf(ref: PageRef): string {
  if (!("name" in ref)) return singlePaths[ref.kind];
  const isNameKept = ref.kind === "operation" || ref.kind === "webhook" || ref.kind === "error";
  return `${folders[ref.kind]}/${isNameKept ? ref.name : slugOf(ref.name)}.html`;
}

export function markdownPathOf(path: string): string {
  return path.replace(/\.html$/, ".md");
}

/** Lower-case ASCII letters, digits and single hyphens: `createUser (SEPA)` becomes `create-user-sepa`. */
export function slugOf(words: string): string {
  const spacedWords = words.replace(/([a-z0-9])([A-Z])/g, "$1-$2");
  return spacedWords
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Both paths are relative to the site root. */
export function relativeHref(fromPath: string, toPath: string): string {
  return posix.relative(posix.dirname(fromPath), toPath);
}

export function bundleName(edition: Edition, format: "yaml" | "json" | "json30"): string {
  const name = `openapi${format === "json30" ? "-3.0" : ""}${edition === "latest" ? "" : `.${edition}`}`;
  return `${name}.${format === "yaml" ? "yaml" : "json"}`;
}

/** The HTML file contains a whole edition. Redocly's command makes it. */
export function redocName(edition: Edition): string {
  return `redoc${edition === "latest" ? "" : `.${edition}`}.html`;
}

export function collectionName(edition: Edition): string {
  return `postman_collection${edition === "latest" ? "" : `.${edition}`}.json`;
}

/** The OpenAPI document has only this operation. */
export function sliceName({ operationId }: Pick<Operation, "operationId">): string {
  return `operations/${operationId}.openapi.json`;
}
