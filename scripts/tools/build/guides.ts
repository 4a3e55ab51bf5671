/** Generated parts are stored in the files of the guides, so that the guides can be read in the repository. */
import { readFileSync, writeFileSync } from "node:fs";
import { type Edition, projectRoot } from "../../base/index.ts";
import type { Bundle } from "../../contract/bundle/index.ts";
import type { Registers } from "../../contract/model/index.ts";
import type { Finding } from "../../lint/index.ts";
import { guideFiles, guideProblems } from "../../site/index.ts";
import { bundleCheckedSources } from "./bundle-checked-sources.ts";

interface Input {
  bundles: Record<Edition, Bundle>;
  registers: Registers;
}

/** @returns the corrected texts of the guides whose generated parts are stale, by path. */
export async function staleGuides(input: Input): Promise<Record<string, string>> {
  const files = Object.entries(await guideFiles(input));
  return Object.fromEntries(files.filter(([path, text]) => readFileSync(`${projectRoot}/${path}`, "utf8") !== text));
}

/** @returns the paths of the changed guides, and the findings in the guides after the change. A part with a finding is empty. */
export async function writeGuides(): Promise<{ changedPaths: string[]; findings: Finding[] }> {
  const { Sources } = await import("../../contract/sources/index.ts");
  const sources = new Sources();
  const [bundles, registers] = [await bundleCheckedSources(sources), sources.registers()];
  const staleTexts = await staleGuides({ bundles, registers });
  for (const [path, text] of Object.entries(staleTexts)) writeFileSync(`${projectRoot}/${path}`, text);
  return { changedPaths: Object.keys(staleTexts), findings: await guideProblems(bundles.test.document, registers) };
}
