/** The generated parts of the guides, which stand in their files so that the guides can be read in the repository. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Bundle } from "../../contract/bundle/index.ts";
import { type Edition, projectRoot, type Registers } from "../../contract/model/index.ts";
import { guideFiles } from "../../site/index.ts";

interface Input {
  bundles: Record<Edition, Bundle>;
  registers: Registers;
}

/** @returns the texts of the guides whose generated parts differ from the contract, by path. */
export async function staleGuides(input: Input): Promise<Record<string, string>> {
  const files = Object.entries(await guideFiles(input));
  return Object.fromEntries(files.filter(([path, text]) => readFileSync(`${projectRoot}/${path}`, "utf8") !== text));
}

/** @returns the paths of the guides that were changed. */
export async function writeGuides(): Promise<string[]> {
  const { Sources } = await import("../../contract/sources/index.ts");
  const { bundleEditions } = await import("../../contract/bundle/index.ts");
  const sources = new Sources();
  const stale = await staleGuides({ bundles: await bundleEditions(sources), registers: sources.registers() });
  for (const [path, text] of Object.entries(stale)) writeFileSync(`${projectRoot}/${path}`, text);
  return Object.keys(stale);
}
