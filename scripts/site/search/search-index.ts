import { found, UsageError } from "../../base/index.ts";
import type { SearchIndex } from "../assets/browser/find.ts";
import { stopWords, wordPattern } from "../assets/browser/word-matches.ts";
import type { SitePage } from "../components/site-page.ts";
import { readSynonyms } from "../content/guides.ts";
import { pathOf } from "../content/pages.ts";
import type { SiteContent } from "../content/site.ts";
import {
  attributeOf,
  type Element,
  elementsIn,
  isHeading,
  type ParsedHtml,
  type ParsedPages,
  textsIn,
} from "../machine/parsed-html.ts";

export const searchIndexPath = "search.json";

/** By location in a page. The index stores a weight as one digit. */
const weights = { title: 9, name: 8, part: 5, synonym: 4, description: 3, text: 1 };

/** If a larger share of the pages contains a word, the index omits pages that contain the word only in their running text. */
const commonShare = 0.35;

/** In lower case, without stop words and single characters. `createUser` also gives `create` and `user`. */
function wordsIn(text: string): string[] {
  const allWords = text.match(wordPattern) ?? [];
  const nameParts = allWords.flatMap((word) => [
    word,
    ...(/[a-z][A-Z]/.test(word) ? word.split(/(?<=[a-z])(?=[A-Z])/) : []),
  ]);
  return nameParts.map((word) => word.toLowerCase()).filter((word) => word.length > 1 && !stopWords.test(word));
}

type Synonyms = ReturnType<typeof readSynonyms>;

export function makeSearchIndex(
  pages: readonly SitePage[],
  parsedPages: ParsedPages,
  sources: Pick<SiteContent, "contract" | "mockValues">,
): SearchIndex {
  const synonyms = readSynonyms();
  const listedPages = pagesWithSynonyms(pages, synonyms);
  const words = new Map<string, Map<number, number>>();
  const parts: SearchIndex["parts"] = [];
  for (const [page, { ref, title, description, section, synonyms: names = [] }] of listedPages.entries()) {
    const addWords = (text: string, weight: number) => {
      for (const word of wordsIn(text)) {
        const weightsByPage = words.get(word) ?? new Map<number, number>();
        if ((weightsByPage.get(page) ?? 0) < weight) weightsByPage.set(page, weight);
        words.set(word, weightsByPage);
      }
    };
    const { text, namedElements } = readPage(found(parsedPages.get(pathOf(ref)), `page ${pathOf(ref)}`));
    addWords(title, weights.title);
    for (const name of names) addWords(name, weights.name);
    for (const { id, name } of namedElements) {
      parts.push([page, id, name]);
      addWords(name, weights.part);
    }
    for (const word of wordsIn(`${title} ${section} ${names.join(" ")}`))
      addWords((synonyms.words.get(word) ?? []).join(" "), weights.synonym);
    addWords(`${section} ${description}`, weights.description);
    addWords(text, weights.text);
  }
  return {
    pages: listedPages.map(({ ref, title, description, section, edition = "latest", synonyms: names = [] }) => ({
      path: pathOf(ref),
      title,
      section,
      edition,
      description,
      names: names.join(", "),
    })),
    parts,
    notes: fillNotes(synonyms.notes, listedPages, sources),
    words: withoutCommonWords(words, listedPages.length * commonShare),
  };
}

/**
 * Adds other names from `synonyms.yaml`, and titles without abbreviations.
 *
 * @throws {UsageError} if `synonyms.yaml` names a page that does not exist.
 */
function pagesWithSynonyms(pages: readonly SitePage[], { pages: otherNames, notes, abbreviations }: Synonyms) {
  const names = new Set(pages.flatMap(({ ref }) => ("name" in ref ? [ref.name] : [])));
  const usedNames = [...Object.keys(otherNames), ...notes.flatMap(({ pages: pageNames }) => pageNames)];
  const unknownNames = usedNames.filter((name) => !names.has(name));
  if (unknownNames.length > 0)
    throw new UsageError(
      `openapi/guides/synonyms.yaml: there is no page of ${unknownNames.join(", ")}. Correct the name.`,
    );
  return pages
    .filter(({ ref }) => ref.kind !== "not-found")
    .map((page): SitePage => {
      const otherTitles = "name" in page.ref ? (otherNames[page.ref.name] ?? []) : [];
      const longTitle = page.title.replace(/[\w-]+/g, (word) => abbreviations[word.toLowerCase()] ?? word);
      const longTitles = longTitle === page.title ? [] : [longTitle];
      return { ...page, synonyms: [...(page.synonyms ?? []), ...otherTitles, ...longTitles] };
    });
}

/** For a word of more than `maxPages` pages, omits those that have it only in running text. */
function withoutCommonWords(words: Map<string, Map<number, number>>, maxPages: number): SearchIndex["words"] {
  return Object.fromEntries(
    [...words].flatMap(([word, pageWeights]) => {
      const isCommon = pageWeights.size > maxPages;
      const keptWeights = [...pageWeights].filter(([, weight]) => !isCommon || weight > weights.text);
      return keptWeights.length === 0 ? [] : [[word, keptWeights.map(([page, weight]) => page * 10 + weight)]];
    }),
  );
}

/**
 * Fills in the networks of the contract and the currencies of the mock.
 *
 * @throws {UsageError} if a note is about a network or currency that is among them.
 */
function fillNotes(
  notes: Synonyms["notes"],
  listedPages: readonly SitePage[],
  { contract, mockValues }: Pick<SiteContent, "contract" | "mockValues">,
): SearchIndex["notes"] {
  const networks = Object.keys(
    Object(contract.root.child("components", "schemas", "CryptoNetwork").value)["x-open-enum"] ?? {},
  );
  const currencies = ["eur", ...new Set(mockValues.networks.map(({ currency }) => currency))];
  return notes.map(({ words, text, pages }) => {
    const knownWords = words.filter((word) => [...networks, ...currencies].includes(word));
    if (knownWords.length > 0)
      throw new UsageError(
        `openapi/guides/synonyms.yaml: the contract has ${knownWords.join(", ")}. Correct the note.`,
      );
    return {
      words: [...words],
      text: text.replace("{networks}", networks.join(", ")).replace("{currencies}", currencies.join(", ")),
      pages: pages.map((name) => listedPages.findIndex(({ ref }) => "name" in ref && ref.name === name)),
    };
  });
}

/** The words of code blocks, pictures and navigation are not indexed. */
const skippedTags = ["pre", "svg", "nav"];

interface NamedElement {
  id: string;
  name: string;
}

/** The named elements are those with an anchor: fields, headings and questions. */
function readPage({ main }: ParsedHtml): { text: string; namedElements: NamedElement[] } {
  if (main === undefined) return { text: "", namedElements: [] };
  const elements = elementsIn(main, skippedTags);
  const withClass = (name: string) => elements.filter((element) => attributeOf(element, "class") === name);
  const nameIn = (element: Element, isName: (part: Element) => boolean): NamedElement[] => {
    const [id, name] = [attributeOf(element, "id"), [element, ...elementsIn(element, skippedTags)].find(isName)];
    return id === undefined || name === undefined ? [] : [{ id, name: textsIn(name, skippedTags).join("").trim() }];
  };
  const namedElements = [
    ...withClass("field").flatMap((field) => nameIn(field, ({ tagName }) => tagName === "code")),
    ...elements.filter(isHeading).flatMap((heading) => nameIn(heading, isHeading)),
    ...withClass("question").flatMap((question) => nameIn(question, isHeading)),
  ];
  return { text: textsIn(main, skippedTags).join(" "), namedElements };
}
