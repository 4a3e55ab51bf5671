/** The kinds of pages, and where each of them is. */
import { posix } from "node:path";
import type { Edition } from "../../contract/model/index.ts";

/** Pages of which there is one, and their paths. */
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

/** Pages of which there is one for each subject, and their folders. */
const folders = {
  area: "areas",
  operation: "operations",
  webhook: "webhooks",
  error: "errors",
  lifecycle: "lifecycles",
  guide: "guides",
  "questions-of": "questions",
};

/** Names a page. */
export type PageRef = { kind: SinglePage } | { kind: keyof typeof folders; name: string };

/** A page, or a heading of it. */
export type Target = PageRef & { anchor?: string };

/** The path of a page below the folder of the site. */
export function pathOf(ref: PageRef): string {
  if (!("name" in ref)) return singlePaths[ref.kind];
  const isNameKept = ref.kind === "operation" || ref.kind === "webhook" || ref.kind === "error";
  return `${folders[ref.kind]}/${isNameKept ? ref.name : slugOf(ref.name)}.html`;
}

/** Words as a part of an address: lower case, with a hyphen for everything but letters and digits. */
export function slugOf(words: string): string {
  const spaced = words.replace(/([a-z0-9])([A-Z])/g, "$1-$2");
  return spaced
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/**
 * The address of a file as a relative link.
 *
 * @param from path of the page that holds the link, below the folder of the site.
 * @param to path of the file, below the same folder.
 */
export function relativeHref(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}

/** The path of the bundle of an edition below the folder of the site. */
export function bundleName(edition: Edition, format: "yaml" | "json" | "json30"): string {
  const name = `openapi${format === "json30" ? "-3.0" : ""}${edition === "latest" ? "" : `.${edition}`}`;
  return `${name}.${format === "yaml" ? "yaml" : "json"}`;
}
