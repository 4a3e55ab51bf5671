import type { Publishing } from "../../contract/sources/index.ts";

/**
 * The command that installs the package from the registry; without a registry, from the site.
 *
 * @param options.siteUrl ends with a slash.
 */
export function installCommand(
  { registry }: Publishing,
  { name, version, siteUrl }: { name: string; version: string; siteUrl: string },
): string {
  if (registry === null) return `npm install ${siteUrl}${name}-${version}.tgz`;
  return `npm install ${name}${registry === "npm" ? "" : ` --registry ${registry}`}`;
}
