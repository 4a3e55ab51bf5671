import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { diskFiles, Sources } from "../../scripts/contract/sources/index.ts";
import { type LintResult, lintContract } from "../../scripts/lint/index.ts";

/**
 * Changes by file. A list alternates texts that occur once in the file, and their replacements. A string is the complete new text. Null
 * removes the file.
 */
export type Edits = Record<string, string[] | string | null>;

const folder = fileURLToPath(new URL("./clean", import.meta.url));
const packageVersion = "1.2.3";

/** File texts by path below `clean/`. */
export type Texts = Map<string, string>;

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

let files = new Map<string, string>();
/** Kept between runs, so that unchanged files are parsed once. */
const sources = new Sources(`${folder}/openapi.yaml`, {
  list: () => [...files.keys()].sort(),
  read: (file) => files.get(file),
});

export function sourcesOf(texts: Texts): Sources {
  const previousFiles = files;
  files = new Map([...texts].map(([path, text]) => [join(folder, path), text]));
  for (const file of new Set([...previousFiles.keys(), ...files.keys()])) {
    if (previousFiles.get(file) !== files.get(file)) sources.forget(file);
  }
  return sources;
}

/** Runs must not overlap, because they share `sources`. */
export async function lintTexts(texts: Texts): Promise<LintResult> {
  return lintContract({ sources: sourcesOf(texts), packageVersion });
}

export function pathOf(file: string): string {
  return relative(folder, file);
}

/** Removes the mark `»` from the texts. @returns its position, as `file:line:column`. @throws {Error} if no text contains it. */
export function takeMark(texts: Texts): string {
  const [markedFile] = [...texts].filter(([, text]) => text.includes("»"));
  if (markedFile === undefined) throw new Error("No text contains the mark ».");
  const [file, text] = markedFile;
  const [textBefore = "", ...textsAfter] = text.split("»");
  texts.set(file, textBefore + textsAfter.join(""));
  const lines = textBefore.split("\n");
  return `${file}:${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
}

export function replaceOnce(text: string, [replacedText, replacement = "", ...otherEdits]: string[]): string {
  if (replacedText === undefined) return text;
  const count = text.split(replacedText).length - 1;
  if (count !== 1) throw new Error(`"${replacedText}" occurs ${count} times, not once.`);
  return replaceOnce(
    text.replace(replacedText, () => replacement),
    otherEdits,
  );
}
