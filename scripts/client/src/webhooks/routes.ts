import { checkNames } from "../base/check-names.ts";
import type { WebhookTable } from "./table.ts";

/** Paths on the partner's server by the name of the webhook, if they differ from the contract. */
export type WebhookPaths<Events> = { readonly [Name in keyof Events]?: string };

type Paths = Readonly<Record<string, string | undefined>>;

export function findWebhook(table: WebhookTable, paths: Paths, path: string): string | undefined {
  const normalizedPath = normalizePath(path);
  return Object.keys(table).find((name) => pathOf(table, paths, name) === normalizedPath);
}

/** Undefined unless the path ends with the path of a webhook. @returns the part before it. */
export function unknownPrefixOf(table: WebhookTable, paths: Paths, path: string): string | undefined {
  const normalizedPath = normalizePath(path);
  const webhookPath = Object.keys(table)
    .map((name) => pathOf(table, paths, name))
    .find((candidate) => candidate && normalizedPath.endsWith(candidate));
  return webhookPath && normalizedPath.slice(0, -webhookPath.length);
}

/** Normalized; undefined for a path that is not known, which is empty in the table. */
function pathOf(table: WebhookTable, paths: Paths, name: string): string | undefined {
  const path = (Object.hasOwn(paths, name) ? paths[name] : undefined) ?? table[name]?.path;
  return path ? normalizePath(path) : undefined;
}

export function normalizeBasePath(basePath: string): string {
  if (typeof basePath !== "string") throw new TypeError('basePath must be the path of a URL, such as "/hooks".');
  return normalizePath(basePath);
}

/** Servers and proxies may add a trailing slash. A base URL that ends with a slash doubles the first slash of the path. */
export function normalizePath(path: string): string {
  const collapsedPath = collapseSlashes(path);
  return collapsedPath.endsWith("/") ? collapsedPath.slice(0, -1) : collapsedPath;
}

export function collapseSlashes(path: string): string {
  return path.replace(/\/+/g, "/");
}

export function checkPaths(table: WebhookTable, paths: Paths, usedPaths: Readonly<Record<string, string>> = {}): void {
  checkNames("webhook", paths, Object.keys(table));
  for (const [name, path] of Object.entries(paths)) {
    if (path !== undefined) checkUrlPath(`paths.${name}`, path);
  }
  const usersByPath = new Map<string | undefined, string>(
    Object.entries(usedPaths).map(([path, user]) => [normalizePath(path), user]),
  );
  for (const name of Object.keys(table)) {
    const path = pathOf(table, paths, name);
    const otherUser = usersByPath.get(path);
    if (otherUser !== undefined && path !== undefined)
      throw new TypeError(`${otherUser} and ${name} have the same path, ${path}. Give one of them another.`);
    usersByPath.set(path, name);
  }
}

export function checkUrlPath(option: string, path: unknown): void {
  const isPath = typeof path === "string" && path.startsWith("/") && pathnameOf(path) === path;
  if (!isPath) throw new TypeError(`${option} must be the path of a URL, such as "/my/path".`);
}

function pathnameOf(path: string): string | undefined {
  return URL.canParse(`http://localhost${path}`) ? new URL(`http://localhost${path}`).pathname : undefined;
}
