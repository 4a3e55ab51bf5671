/** The clean contract in `clean/`, with changes that are made in memory only. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { diskFiles, Sources } from "../../scripts/contract/sources/index.ts";
import { type Lint, lintContract } from "../../scripts/lint/index.ts";

/**
 * Changes by file: texts that occur once, each followed by what takes its place; the whole text of a file; or null for a
 * file that is taken away.
 */
export type Edits = Record<string, string[] | string | null>;

const folder = fileURLToPath(new URL("./clean", import.meta.url));
const packageVersion = "1.2.3";

/** Texts of the files by their path below `clean/`, after the edits. */
export type Texts = Map<string, string>;

/**
 * @throws {Error} when a text to find does not occur exactly once: the edit would not break what it claims to.
 */
export function editClean(edits: Edits): Texts {
  const texts = new Map(
    diskFiles.list(folder).map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]),
  );
  for (const [file, edit] of Object.entries(edits)) {
    if (edit === null) texts.delete(file);
    else if (typeof edit === "string") texts.set(file, edit);
    else texts.set(file, replaceOnce(texts.get(file) ?? "", edit));
  }
  return texts;
}

/** The files of the last lint, and their sources: a file that stays the same is read once for all of them. */
let files = new Map<string, string>();
const sources = new Sources(`${folder}/openapi.yaml`, {
  list: () => [...files.keys()].sort(),
  read: (file) => files.get(file),
});

/** Lints the texts as if they were the files of `clean/`, without Spectral. One lint ends before the next one starts. */
export async function lintTexts(texts: Texts): Promise<Lint> {
  const last = files;
  files = new Map([...texts].map(([path, text]) => [`${folder}/${path}`, text]));
  for (const file of new Set([...last.keys(), ...files.keys()])) {
    if (last.get(file) !== files.get(file)) sources.forget(file);
  }
  return lintContract({ sources, packageVersion });
}

/** Path below `clean/`. */
export function pathOf(file: string): string {
  return file.slice(folder.length + 1);
}

/** The place that `»` marks in one of the texts, as `file:line:column`. The mark is taken out. */
export function takeMark(texts: Texts): string {
  const [marked] = [...texts].filter(([, text]) => text.includes("»"));
  if (marked === undefined) throw new Error("» marks no place.");
  const [file, text] = marked;
  const [before = "", ...after] = text.split("»");
  texts.set(file, before + after.join(""));
  const lines = before.split("\n");
  return `${file}:${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
}

/** Replaces texts that occur once: each is followed by what takes its place. */
export function replaceOnce(text: string, [find, put = "", ...others]: string[]): string {
  if (find === undefined) return text;
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`"${find}" occurs ${count} times, not once.`);
  return replaceOnce(
    text.replace(find, () => put),
    others,
  );
}
