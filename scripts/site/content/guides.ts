/** Guides are Markdown files with front matter. `guides.yaml` states their order, `guide-form.ts` their form. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { projectRoot, UsageError } from "../../base/index.ts";
import { parseYaml, readYaml } from "../../contract/sources/index.ts";
import { isListOf, isMapOf, isText, isTextList } from "./forms.ts";
import { siteForm } from "./guide-form.ts";

/**
 * The guides of `languages` are linked as quick starts in other languages. The guides of `areas` are listed with their area.
 */
const groupRoles = ["languages", "areas"] as const;

type GroupRole = (typeof groupRoles)[number];

export interface Guide {
  name: string;
  title: string;
  summary: string;
  synonyms: string[];
  group: string;
  role?: GroupRole | undefined;
  text: string;
  /** Lines are counted from 1. */
  firstLine: number;
}

interface GuideGroup {
  group: string;
  role?: GroupRole;
  guides: string[];
}

export function readGuides(folder = `${projectRoot}/openapi/guides`): Guide[] {
  const listFile = `${folder}/guides.yaml`;
  const groups: unknown = readYaml(listFile, "The guide");
  if (!isListOf(groups, isGuideGroup))
    throw new UsageError(
      `${listFile} must be a list of { group: title, role: ${groupRoles.join(" or ")}, guides: [names] }, where role is optional.`,
    );
  const listedNames = groups.flatMap(({ guides }) => guides);
  // Hidden files are lock files of editors.
  const existingNames = readdirSync(folder).flatMap((file) => /^([^.].*)\.md$/.exec(file)?.[1] ?? []);
  const unlistedNames = existingNames.filter((name) => !listedNames.includes(name));
  if (unlistedNames.length > 0)
    throw new UsageError(`${listFile} does not list ${unlistedNames.join(", ")}. Add it to a group.`);
  const namesWithoutFile = listedNames.filter((name) => !existingNames.includes(name));
  if (namesWithoutFile.length > 0)
    throw new UsageError(`${listFile} lists ${namesWithoutFile.join(", ")}, but there is no such file.`);
  return groups.flatMap(({ group, role, guides }) =>
    guides.map((name) => ({ ...readGuide(folder, name), group, role })),
  );
}

function isGuideGroup(value: unknown): value is GuideGroup {
  const { group, role, guides } = Object(value);
  const isRoleKnown = role === undefined || groupRoles.includes(role);
  return isText(group) && isRoleKnown && isListOf(guides, isText);
}

/**
 * `test/peers/languages` runs these programs.
 *
 * @param path the path below `openapi/guides/programs`.
 * @returns undefined if there is no such program.
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

/** @throws {UsageError} if the file cannot be read or is malformed. */
export function readSynonyms(file = `${projectRoot}/openapi/guides/synonyms.yaml`): Synonyms {
  const { words, pages, notes, abbreviations } = Object(readYaml(file, "The list"));
  if (
    !isListOf(words, isText) ||
    !isMapOf(pages, isTextList) ||
    !isListOf(notes, isNote) ||
    !isMapOf(abbreviations, isText)
  )
    throw new UsageError(
      `${file} must have words: [texts], pages: { name: [texts] }, notes: [{ words: [texts], text, pages: [names] }] and abbreviations: { name: text }.`,
    );
  const synonymsByWord = new Map<string, string[]>();
  for (const row of words.map((item) => item.split(" ")))
    for (const word of row) synonymsByWord.set(word, [...(synonymsByWord.get(word) ?? []), ...row]);
  return { words: synonymsByWord, pages, notes, abbreviations };
}

function isNote(value: unknown): value is Synonyms["notes"][number] {
  const { words, text, pages } = Object(value);
  return isTextList(words) && isText(text) && isTextList(pages);
}

function readGuide(folder: string, name: string): Omit<Guide, "group" | "role"> {
  const file = `${folder}/${name}.md`;
  const { frontMatter, text, firstLine } = splitFrontMatter(file, readFileSync(file, "utf8"));
  return { name, ...readFrontMatter(file, frontMatter), text: siteForm(text), firstLine };
}

/** The YAML is between the lines `---`. @returns `firstLine`, the line number of the text from 1. */
function splitFrontMatter(file: string, fileText: string): { frontMatter: string; text: string; firstLine: number } {
  const [, frontMatter, space = "", text] = /^---\n([\s\S]*?)\n---\n(\s*)([\s\S]*)$/.exec(fileText) ?? [];
  if (frontMatter === undefined || text === undefined)
    throw new UsageError(`The guide ${file} cannot be read: it does not begin with front matter between ---`);
  return { frontMatter, text: text.trim(), firstLine: frontMatter.split("\n").length + space.split("\n").length + 2 };
}

function readFrontMatter(file: string, frontMatter: string): Pick<Guide, "title" | "summary" | "synonyms"> {
  const error = (problem: string, key?: string) => {
    const line = key === undefined ? 1 : frontMatter.split("\n").findIndex((text) => text.startsWith(key)) + 2;
    return new UsageError(`The front matter of ${file}:${line} ${problem}`);
  };
  const { title, summary, synonyms = [], ...otherMembers } = Object(parseFrontMatter(file, frontMatter));
  const otherKeys = Object.keys(otherMembers);
  if (otherKeys.length > 0)
    throw error(`has ${otherKeys.join(", ")}. Known keys: title, summary, synonyms.`, otherKeys[0]);
  if (!isText(title) || !isText(summary)) throw error("needs a title and a summary, each a text.");
  if (!isTextList(synonyms)) throw error("has synonyms that are no list of texts.", "synonyms");
  return { title, summary, synonyms };
}

function parseFrontMatter(file: string, frontMatter: string): unknown {
  try {
    // An empty first line replaces `---`, so that the parser's line numbers match the file.
    return parseYaml(`\n${frontMatter}`);
  } catch (error) {
    throw new UsageError(`The guide ${file} cannot be read: ${(error as Error).message}`);
  }
}
