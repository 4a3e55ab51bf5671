/** The clean contract in `clean/`, with changes that are made in memory only. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Lint, lintContract } from "../../scripts/lint/index.ts";
import { diskFiles, Sources } from "../../scripts/sources/index.ts";

/** A change of one file: a text that occurs once is replaced, or the whole file is written or removed. */
export type Edit =
  | { file: string; find: string; put: string }
  | { file: string; write: string }
  | { file: string; remove: true };

const folder = fileURLToPath(new URL("./clean", import.meta.url));
const packageVersion = "1.2.3";

/** Texts of the files by their path below `clean/`, after the edits. */
export type Texts = Map<string, string>;

/**
 * @throws {Error} when the text to find does not occur exactly once: the edit would not break what it claims to.
 */
export function editClean(edits: Edit[]): Texts {
  const texts = new Map(
    diskFiles.list(folder).map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]),
  );
  for (const edit of edits) {
    if ("remove" in edit) texts.delete(edit.file);
    else if ("write" in edit) texts.set(edit.file, edit.write);
    else texts.set(edit.file, replaceOnce(texts.get(edit.file) ?? "", edit.find, edit.put));
  }
  return texts;
}

/** Lints the texts as if they were the files of `clean/`, without Spectral. */
export async function lintTexts(texts: Texts): Promise<Lint> {
  const files = new Map([...texts].map(([path, text]) => [`${folder}/${path}`, text]));
  const sources = new Sources(`${folder}/openapi.yaml`, {
    list: () => [...files.keys()].sort(),
    read: (file) => files.get(file),
  });
  return lintContract({ sources, packageVersion });
}

/** Path below `clean/`. */
export function pathOf(file: string): string {
  return file.slice(folder.length + 1);
}

/** Line and column of the place that `»` marks in a snippet of the file. */
export function placeOf(texts: Texts, path: string, snippet: string): { line: number; column: number } {
  const [before, after] = snippet.split("»") as [string, string];
  const parts = (texts.get(path) ?? "").split(before + after);
  if (parts.length !== 2) throw new Error(`"${snippet}" occurs ${parts.length - 1} times in ${path}, not once.`);
  const lines = `${parts[0]}${before}`.split("\n");
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

function replaceOnce(text: string, find: string, put: string): string {
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`"${find}" occurs ${count} times, not once.`);
  return text.replace(find, () => put);
}
