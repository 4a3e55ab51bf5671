import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { contractFile, projectRoot, UsageError } from "../../base/index.ts";
import { bundleContract } from "../../contract/bundle/index.ts";
import type { OpenApiDocument } from "../../contract/model/index.ts";
import { Sources } from "../../contract/sources/index.ts";
import { resourcesKey } from "./compare.ts";

/** Absolute path of the folder with the annotated contract of each released version. */
export const releasedFolder: string = `${projectRoot}/openapi/released`;

export function releasedVersions(folder: string = releasedFolder): string[] {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.flatMap((file) => /^(\d+\.\d+\.\d+)\.json$/.exec(file)?.[1] ?? []).sort((a, b) => compareVersions(b, a));
}

/** As a comparison for `sort`: negative if `a` is older than `b`. */
export function compareVersions(a: string, b: string): number {
  const [partsOfA, partsOfB] = [a, b].map((version) => version.split(".").map(Number)) as [number[], number[]];
  return partsOfA.map((number, index) => number - (partsOfB[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

export function serializeReleased(document: OpenApiDocument): string {
  return `${JSON.stringify(document)}\n`;
}

export function readReleased(version: string): OpenApiDocument {
  return parseDocument(readFileSync(`${releasedFolder}/${version}.json`, "utf8"));
}

/**
 * @param ref a released version, with or without "v", or a git revision. Default: the newest released version.
 * @returns the document of the edition `test`, and its name in messages. The document is annotated, unless the current tools cannot bundle
 * the files of a commit.
 * @throws {UsageError} if there is no such version, and no such revision with a contract.
 */
export async function readEarlier(ref?: string): Promise<{ document: OpenApiDocument; name: string }> {
  const versions = releasedVersions();
  const name = ref ?? versions[0];
  if (name === undefined)
    throw new UsageError("openapi/released has no contract. Name a commit: npm run changes -- <ref>");
  const version = versions.find((candidate) => candidate === name.replace(/^v/, ""));
  if (version !== undefined) return { document: readReleased(version), name: version };
  const publishedText = fileOfCommit(name, "generated/test/openapi.json");
  if (publishedText === undefined) {
    throw new UsageError(
      `There is no contract of ${name}: it is no released version (${versions.join(", ") || "there is none"}), and ${missingContractReason(name)}`,
    );
  }
  const document = await bundleAnnotated(sourcesOf(name)).catch(() => parseDocument(publishedText));
  return { document, name };
}

/** Undefined if git has no such commit, or the commit no such file. */
function fileOfCommit(commit: string, path: string): string | undefined {
  try {
    return git("show", "--end-of-options", `${commit}:${path}`);
  } catch {
    return undefined;
  }
}

/** The reason why a git repository has no contract under this name. The text continues a sentence. */
export function missingContractReason(name: string, folder: string = projectRoot): string {
  const revParse = (...args: string[]): string =>
    execFileSync("git", ["rev-parse", ...args], { cwd: folder, encoding: "utf8", stdio: "pipe" });
  try {
    revParse("--verify", "--quiet", "--end-of-options", `${name}^{commit}`);
    return "that commit has none.";
  } catch {}
  try {
    if (revParse("--is-shallow-repository").trim() !== "true") return "no commit or branch of this clone.";
    return "not among the commits of this clone, which is shallow. Get the others with: git fetch --unshallow";
  } catch {
    return "there is no git repository here to look in.";
  }
}

const gitOptions = { cwd: projectRoot, maxBuffer: 2 ** 26, stdio: "pipe" } as const;

function git(...args: string[]): string {
  return execFileSync("git", args, { ...gitOptions, encoding: "utf8" });
}

/** One process of git reads all objects, since starting one for each takes longer than reading. */
function gitObjects(ids: readonly string[]): string[] {
  const output = execFileSync("git", ["cat-file", "--batch"], { ...gitOptions, input: `${ids.join("\n")}\n` });
  let position = 0;
  return ids.map(() => {
    // The form of each object: a line "<id> blob <bytes>", the bytes, a line feed.
    const start = output.indexOf("\n", position) + 1;
    const end = start + Number(output.toString("utf8", position, start).trim().split(" ")[2]);
    position = end + 1;
    return output.toString("utf8", start, end);
  });
}

function sourcesOf(commit: string): Sources {
  const lines = git("ls-tree", "-r", "--end-of-options", commit, "openapi", "publishing.yaml").split("\n");
  // The form of each line: "<mode> blob <id>", a tab, the path.
  const entries = lines.map((line) => line.split("\t") as [string, string]).filter(([, path]) => /\.ya?ml$/.test(path));
  const texts = gitObjects(entries.map(([object]) => object.split(" ")[2] as string));
  const files = new Map(entries.map(([, path], index) => [`${projectRoot}/${path}`, texts[index] as string]));
  return new Sources(contractFile, {
    list: (folder) => [...files.keys()].filter((path) => !relative(folder, path).startsWith("..")).sort(),
    read: (path) => files.get(path),
  });
}

const parseDocument = (text: string): OpenApiDocument => JSON.parse(text);

/** The edition `test` with all `x-` keys, and with the content of resources.yaml under {@link resourcesKey}. */
export async function bundleAnnotated(sources: Sources): Promise<OpenApiDocument> {
  const { document } = await bundleContract("test", sources);
  return { ...document, [resourcesKey]: sources.document(sources.layout.resources).parsed } as OpenApiDocument;
}
