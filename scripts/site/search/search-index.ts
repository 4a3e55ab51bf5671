import { UsageError } from "../../contract/model/index.ts";
import { type SearchIndex, stopWords, wordPattern } from "../assets/browser/find.ts";
import type { SitePage } from "../components/site-page.ts";
import { readSynonyms } from "../content/guides.ts";
import { pathOf } from "../content/pages.ts";
import type { SiteContent } from "../content/site.ts";

export const searchIndexPath = "search.json";

/** The weight of a word, by its location in a page. The index stores a weight as one digit. */
const weights = { title: 9, name: 8, part: 5, synonym: 4, description: 3, text: 1 };

/** If a larger share of the pages contains a word, the index omits pages that contain the word only in their running text. */
const commonShare = 0.35;

/** The words of a text in lower case, without stop words and single characters. `createUser` also gives `create` and `user`. */
function wordsIn(text: string): string[] {
  const allWords = text.match(wordPattern) ?? [];
  const nameParts = allWords.flatMap((word) => [
    word,
    ...(/[a-z][A-Z]/.test(word) ? word.split(/(?<=[a-z])(?=[A-Z])/) : []),
  ]);
  return nameParts.map((word) => word.toLowerCase()).filter((word) => word.length > 1 && !stopWords.test(word));
}

export function makeSearchIndex(
  pages: readonly SitePage[],
  html: Readonly<Record<string, string>>,
  sources: Pick<SiteContent, "contract" | "mockValues">,
): SearchIndex {
  const { words: similarWords, pages: otherNames, notes, abbreviations } = readSynonyms();
  const isPage = (name: string) => pages.some(({ ref }) => "name" in ref && ref.name === name);
  const unknownNames = [...Object.keys(otherNames), ...notes.flatMap(({ pages: pageNames }) => pageNames)].filter(
    (name) => !isPage(name),
  );
  if (unknownNames.length > 0)
    throw new UsageError(
      `openapi/guides/synonyms.yaml: there is no page of ${unknownNames.join(", ")}. Correct the name.`,
    );
  const listedPages = pages
    .filter(({ ref }) => ref.kind !== "not-found")
    .map((page) => {
      const otherTitles = "name" in page.ref ? (otherNames[page.ref.name] ?? []) : [];
      const longTitle = page.title.replace(/[\w-]+/g, (word) => abbreviations[word.toLowerCase()] ?? word);
      return {
        ...page,
        synonyms: [...(page.synonyms ?? []), ...otherTitles, ...(longTitle === page.title ? [] : [longTitle])],
      };
    });
  const words = new Map<string, Map<number, number>>();
  const parts: SearchIndex["parts"] = [];
  for (const [page, { ref, title, description, section, synonyms = [] }] of listedPages.entries()) {
    const addWords = (text: string, weight: number) => {
      for (const word of wordsIn(text)) {
        const weightsByPage = words.get(word) ?? new Map<number, number>();
        if ((weightsByPage.get(page) ?? 0) < weight) weightsByPage.set(page, weight);
        words.set(word, weightsByPage);
      }
    };
    const { text, namedElements } = readPage(html[pathOf(ref)] as string);
    addWords(title, weights.title);
    for (const name of synonyms) addWords(name, weights.name);
    for (const { id, name } of namedElements) {
      parts.push([page, id, name]);
      addWords(name, weights.part);
    }
    for (const word of wordsIn(`${title} ${section} ${synonyms.join(" ")}`))
      addWords((similarWords.get(word) ?? []).join(" "), weights.synonym);
    addWords(`${section} ${description}`, weights.description);
    addWords(text, weights.text);
  }
  const maxPages = listedPages.length * commonShare;
  return {
    pages: listedPages.map(({ ref, title, description, section, edition = "latest", synonyms = [] }) => ({
      path: pathOf(ref),
      title,
      section,
      edition,
      description,
      names: synonyms.join(", "),
    })),
    parts,
    notes: fillNotes(notes, listedPages, sources),
    words: Object.fromEntries(
      [...words].flatMap(([word, pageWeights]) => {
        const isCommon = pageWeights.size > maxPages;
        const keptWeights = [...pageWeights].filter(([, weight]) => !isCommon || weight > weights.text);
        return keptWeights.length === 0 ? [] : [[word, keptWeights.map(([page, weight]) => page * 10 + weight)]];
      }),
    ),
  };
}

type Notes = ReturnType<typeof readSynonyms>["notes"];

/**
 * The notes of `synonyms.yaml`, with the networks and currencies of the contract filled in.
 *
 * @throws {UsageError} if a note describes a network or currency as unknown, but the contract has it.
 */
function fillNotes(
  notes: Notes,
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

/** The text of a page without code blocks, pictures and navigation. `namedElements`: the elements with an anchor (fields, headings, questions). */
function readPage(html: string): { text: string; namedElements: { id: string; name: string }[] } {
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main>")).replace(/<(pre|svg|nav)\b.*?<\/\1>/gs, " ");
  const plainText = (text = "") =>
    text
      .replace(/<[^>]*>/g, "")
      .replace(/&\w+;/g, " ")
      .trim();
  const fields = [...main.matchAll(/<li class="field" id="([^"]+)">.*?<code>(.*?)<\/code>/gs)];
  const headings = [...main.matchAll(/<h[23] id="([^"]+)">(.*?)<\/h[23]>/gs)];
  const questions = [...main.matchAll(/<section class="question" id="([^"]+)"><h2>(.*?)<\/h2>/gs)];
  const namedElements = [...fields, ...headings, ...questions].map(([, id = "", name]) => ({
    id,
    name: plainText(name),
  }));
  return { text: plainText(main.replace(/<[^>]*>/g, " ")), namedElements };
}
