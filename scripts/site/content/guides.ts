/** The guides: Markdown files with front matter, in the order of `guides.yaml`, and in the form of `guide-form.ts`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { projectRoot, UsageError } from "../../contract/model/index.ts";
import { readYaml } from "../../contract/sources/index.ts";
import { siteForm } from "./guide-form.ts";

export interface Guide {
  name: string;
  title: string;
  summary: string;
  synonyms: string[];
  group: string;
  text: string;
  /** The line number at which the text begins, from 1. */
  firstLine: number;
}

interface FrontMatter {
  title: string;
  summary: string;
  synonyms?: string[];
}

const knownKeys = ["title", "summary", "synonyms"];

export function readGuides(folder = `${projectRoot}/openapi/guides`): Guide[] {
  const listFile = `${folder}/guides.yaml`;
  const groups = readYaml<{ group: string; guides: string[] }[]>(listFile, "The guide");
  if (
    !Array.isArray(groups) ||
    !groups.every(({ group, guides }) => typeof group === "string" && Array.isArray(guides))
  ) {
    throw new UsageError(`${listFile} must be a list of { group: title, guides: [names] }.`);
  }
  const listedNames = groups.flatMap(({ guides }) => guides);
  const existingNames = readdirSync(folder).flatMap((file) =>
    file.endsWith(".md") ? [file.replace(/\.md$/, "")] : [],
  );
  const unlistedNames = existingNames.filter((name) => !listedNames.includes(name));
  if (unlistedNames.length > 0)
    throw new UsageError(`${listFile} does not list ${unlistedNames.join(", ")}. Add it to a group.`);
  const namesWithoutFile = listedNames.filter((name) => !existingNames.includes(name));
  if (namesWithoutFile.length > 0)
    throw new UsageError(`${listFile} lists ${namesWithoutFile.join(", ")}, but there is no such file.`);
  return groups.flatMap(({ group, guides }) => guides.map((name) => readGuide(folder, name, group)));
}

/**
 * Reads a program in another language than JavaScript. `test/peers/languages` runs these programs. @param path the path below
 * `openapi/guides/programs`. @returns undefined if there is no such program.
 */
export function readProgram(path: string): string | undefined {
  const file = `${projectRoot}/openapi/guides/programs/${path}`;
  return /^[a-z]+\/\w+\.[a-z]+$/.test(path) && existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

interface Synonyms {
  /** By word: the words with a similar meaning, including the word. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  /** Additional names of a page, by its subject: an operationId, the key of a webhook, or the file name of a guide. */
  readonly pages: Readonly<Record<string, readonly string[]>>;
  /** Notes about words that no page explains: the words in lower case, the text, and the pages to show. */
  readonly notes: readonly { words: readonly string[]; text: string; pages: readonly string[] }[];
  /** The long forms of abbreviations in titles, by abbreviation. */
  readonly abbreviations: Readonly<Record<string, string>>;
}

export function readSynonyms(): Synonyms {
  type Lists = Omit<Synonyms, "words"> & { words: string[] };
  const { words, ...otherLists } = readYaml<Lists>(`${projectRoot}/openapi/guides/synonyms.yaml`, "The list");
  const synonymsByWord = new Map<string, string[]>();
  for (const row of words.map((item) => item.split(" ")))
    for (const word of row) synonymsByWord.set(word, [...(synonymsByWord.get(word) ?? []), ...row]);
  return { words: synonymsByWord, ...otherLists };
}

function readGuide(folder: string, name: string, group: string): Guide {
  const file = `${folder}/${name}.md`;
  let text = "";
  let firstLine = 1;
  const matter = readYaml<FrontMatter>(file, "The guide", (fileText) => {
    const [, frontMatterText, space = "", body] = /^---\n([\s\S]*?)\n---\n(\s*)([\s\S]*)$/.exec(fileText) ?? [];
    if (frontMatterText === undefined || body === undefined)
      throw new Error("it does not begin with front matter between ---");
    text = siteForm(body.trim());
    firstLine = frontMatterText.split("\n").length + space.split("\n").length + 2;
    // An empty first line replaces `---`, so that the parser's line numbers match the file.
    return `\n${frontMatterText}`;
  });
  checkFrontMatter(file, matter);
  const { title, summary, synonyms = [] } = matter;
  return { name, title, summary, synonyms, group, text, firstLine };
}

function checkFrontMatter(file: string, matter: FrontMatter): void {
  const { title, summary, synonyms = [] } = matter;
  const unknownKeys = Object.keys(matter).filter((key) => !knownKeys.includes(key));
  const problem =
    unknownKeys.length > 0
      ? `has ${unknownKeys.join(", ")}. Known keys: ${knownKeys.join(", ")}.`
      : typeof title !== "string" || typeof summary !== "string"
        ? "needs a title and a summary, each a text."
        : !Array.isArray(synonyms) && "has synonyms that are no list.";
  if (problem === false) return;
  const key = unknownKeys[0] ?? (Array.isArray(synonyms) ? "" : "synonyms");
  const line = readFileSync(file, "utf8")
    .split("\n")
    .findIndex((text) => key !== "" && text.startsWith(key));
  throw new UsageError(`The front matter of ${file}:${Math.max(0, line) + 1} ${problem}`);
}
