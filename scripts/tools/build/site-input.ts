import type { Edition } from "../../base/index.ts";
import type { Bundle } from "../../contract/bundle/index.ts";
import type { Registers } from "../../contract/model/index.ts";
import type { SiteInput } from "../../site/index.ts";

export async function siteInput(bundles: Record<Edition, Bundle>, registers: Registers): Promise<SiteInput> {
  // Imported here, because a build that does not render the site must not load it.
  const { unreleasedChanges } = await import("../changes/index.ts");
  return { bundles, registers, unreleasedText: unreleasedChanges(bundles.test.published) };
}
