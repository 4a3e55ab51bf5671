/** Lints the hand-written files: Redocly's rules and this project's own, with file and line of the very source. */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Document } from "@redocly/openapi-core";
import { projectRoot } from "../contract/project.ts";
import { judge } from "./judge.ts";
import { Place } from "./place.ts";
import { readSources, type Sources } from "./read-sources.ts";
import { type Finding, sortFindings } from "./report.ts";
import { rules } from "./rules/index.ts";
import { layoutOf, SourceContract, type Surroundings } from "./source-contract.ts";
import { diskFiles, type SourceFiles } from "./source-files.ts";
import { walkSources } from "./walk-sources.ts";

export interface SourceLint {
  findings: Finding[];
  /** Absolute paths of the files of the contract. */
  files: string[];
  /** How often each own rule checked something; empty when there is no sound document to judge. */
  checks: Map<string, number>;
  /** Undefined when there is no sound document. */
  contract: SourceContract | undefined;
}

/**
 * Lints from the bottom up: files that cannot be read, then references and form, then everything else. A level is only
 * told when the one below is sound, so that one mistake is told once.
 *
 * @param rootFile absolute path of the root document.
 * @param files where to read from; the disk by default.
 * @param packageVersion version of the package; that of this repository by default.
 */
export async function lintSources(
  rootFile: string,
  files: SourceFiles = diskFiles,
  packageVersion: string = readPackageVersion(),
): Promise<SourceLint> {
  const sources = await readSources(rootFile, files);
  if (sources.findings.length > 0) return unsound(sources, sources.findings);

  const walk = await walkSources(sources);
  if (walk.collected === undefined) return unsound(sources, walk.findings);

  const contract = new SourceContract(walk.collected, readSurroundings(sources, packageVersion));
  const { findings, checks } = judge(rules, contract);
  return { findings: sortFindings([...walk.findings, ...findings]), files: sources.paths, checks, contract };
}

function unsound({ paths }: Sources, findings: Finding[]): SourceLint {
  return { findings: sortFindings(findings), files: paths, checks: new Map(), contract: undefined };
}

function readSurroundings({ rootFile, documents }: Sources, packageVersion: string): Surroundings {
  const layout = layoutOf(rootFile);
  const placeOf = (path: string) => {
    const { parsed, source } = documents.get(path) as Document;
    return new Place(parsed, source, "#/", () => undefined);
  };
  const files = [...documents.keys()].map(placeOf);
  return {
    extensions: placeOf(layout.extensions),
    openQuestions: placeOf(layout.openQuestions),
    catalogue: files.filter(({ file }) => dirname(file) === layout.errors),
    packageVersion,
    files,
  };
}

function readPackageVersion(): string {
  const { version } = JSON.parse(readFileSync(`${projectRoot}/package.json`, "utf8")) as { version: string };
  return version;
}
