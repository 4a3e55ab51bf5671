/** The linter as a function: for the command, the build and the tests. */
import { bundleContract } from "../build/bundle.ts";
import { contractFile } from "../contract/project.ts";
import { lintSources } from "./lint-sources.ts";
import type { Finding } from "./report.ts";

export interface Lint {
  findings: Finding[];
  /** Absolute paths of the files that were read. */
  files: string[];
  /** How often this project's own rules checked something. */
  checks: number;
}

/**
 * Lints the contract: the hand-written files first and, when they are clean, their bundle with Spectral. Nothing that is
 * wrong throws: unreadable files and references to nowhere are findings as well.
 *
 * @param rootFile absolute path of the root document; the contract of this repository by default.
 */
export async function lintContract(rootFile: string = contractFile): Promise<Lint> {
  const { findings, files, checks, contract } = await lintSources(rootFile);
  const total = [...checks.values()].reduce((sum, count) => sum + count, 0);
  if (findings.length > 0 || contract === undefined) return { findings, files, checks: total };

  // Spectral is slow to load, and what it would say about unsound sources has been said.
  const { lintBundle } = await import("./lint-bundle.ts");
  return { findings: await lintBundle(await bundleContract("test", rootFile), contract), files, checks: total };
}
