/** The contracts that changes are compared with: released ones, and those of a commit. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { bundleContract, publish } from "../../contract/bundle/index.ts";
import { type OpenApiDocument, projectRoot, UsageError } from "../../contract/model/index.ts";
import type { Sources } from "../../contract/sources/index.ts";

/** Absolute path of the folder that keeps the contract of each released version: the edition test, as it was published. */
export const releasedFolder: string = `${projectRoot}/openapi/released`;

/** Versions with a released contract, the newest first. */
export function releasedVersions(folder: string = releasedFolder): string[] {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.flatMap((file) => /^(\d+\.\d+\.\d+)\.json$/.exec(file)?.[1] ?? []).sort((a, b) => compareVersions(b, a));
}

/** Negative where `a` is the older of two versions of three numbers. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number)) as [number[], number[]];
  return left.map((number, index) => number - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/**
 * Reads an earlier contract.
 *
 * @param ref a released version, also with a "v", or whatever git calls a commit; the newest released version by default.
 * @returns the published document of the edition test, and how a message names it.
 * @throws {UsageError} when there is none.
 */
export function readEarlier(ref?: string): { document: OpenApiDocument; name: string } {
  const versions = releasedVersions();
  const name = ref ?? versions[0];
  if (name === undefined)
    throw new UsageError("openapi/released has no contract. Name a commit: npm run changes -- <ref>");
  const version = versions.find((each) => each === name.replace(/^v/, ""));
  if (version !== undefined)
    return { document: parse(readFileSync(`${releasedFolder}/${version}.json`, "utf8")), name: version };
  try {
    const args = ["show", "--end-of-options", `${name}:generated/test/openapi.json`];
    const text = execFileSync("git", args, { cwd: projectRoot, encoding: "utf8", maxBuffer: 2 ** 26, stdio: "pipe" });
    return { document: parse(text), name };
  } catch {
    throw new UsageError(
      `There is no contract of ${name}: it is no released version (${versions.join(", ") || "there is none"}), and no commit that has one.`,
    );
  }
}

const parse = (text: string): OpenApiDocument => JSON.parse(text);

/** The contract as it stands, in the form in which it is published. */
export async function readCurrent(sources: Sources): Promise<OpenApiDocument> {
  return publish(await bundleContract("test", sources), sources.publishedKeys());
}
