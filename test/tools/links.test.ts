/** Checks the links to files and headings in every Markdown file of the repository, except in generated folders. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/base/index.ts";

const generatedPath = /(^|\/)(node_modules|\.git|docs|dist|release|public)(\/|$)/;

/** Skips folders of generated and installed files, which can have tens of thousands of files. */
function markdownFilesIn(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (generatedPath.test(path)) return [];
    if (entry.isDirectory()) return markdownFilesIn(path);
    return path.endsWith(".md") ? [path] : [];
  });
}

const files = markdownFilesIn("");

const texts = new Map<string, string>();
function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(file, "utf8").replace(/^```[\s\S]*?^```$/gm, "");
  texts.set(file, text);
  return text;
}

/** The anchors of a file's headings, as GitHub and GitLab make them for headings that are not repeated. */
function anchorsOf(file: string): string[] {
  const headings = [...textOf(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, words = ""]) => words);
  return headings.map((words) =>
    words
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function problemOf(target: string, file: string): string | undefined {
  const [path = "", anchor] = target.split("#");
  const targetFile = path === "" ? file : resolve(dirname(file), path);
  if (!existsSync(targetFile)) return `${target} does not exist`;
  if (anchor === undefined) return undefined;
  if (targetFile.endsWith(".md"))
    return anchorsOf(targetFile).includes(anchor) ? undefined : `${target}: no such heading`;
  // Viewers show a YAML file from its beginning. The anchor tells readers which text to search for.
  return readFileSync(targetFile, "utf8").includes(anchor)
    ? undefined
    : `${target}: the file does not contain ${anchor}`;
}

it.each(files)("%s has links that lead somewhere", (path) => {
  const file = join(projectRoot, path);
  const links = [
    ...textOf(file)
      .replace(/`[^`\n]*`/g, "")
      .matchAll(/\]\(([^)\s]+)[^)]*\)/g),
  ];
  const localLinks = links.flatMap(([, target = ""]) => (/^(https?|mailto):/.test(target) ? [] : [target]));
  expect(localLinks.flatMap((target) => problemOf(target, file) ?? [])).toEqual([]);
});
