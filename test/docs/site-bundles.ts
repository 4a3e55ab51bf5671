/** The committed bundles, as the site is made from them. */
import { readFileSync } from "node:fs";
import { bundleFile, type Edition } from "../../scripts/contract/index.ts";
import type { SiteBundle } from "../../scripts/docs/index.ts";

export const bundles: Record<Edition, SiteBundle> = { latest: readBundle("latest"), test: readBundle("test") };

function readBundle(edition: Edition): SiteBundle {
  const json = readFileSync(bundleFile(edition, "json"), "utf8");
  return { document: JSON.parse(json), yaml: readFileSync(bundleFile(edition, "yaml"), "utf8"), json };
}
