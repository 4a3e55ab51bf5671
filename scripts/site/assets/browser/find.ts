/**
 * Searches pages by words, tolerating misspellings; pages with a matching name rank higher.
 *
 * No library is used: none with prefixes, misspellings and weights also joins and splits words (“web hook”, `cardpin`), shows the word
 * that it searched instead, shows notes about what the service lacks, and ranks an operation before pages that only contain its words.
 */
import {
  matchesOf,
  maxSimilarityOfGuess,
  minSimilarityInTitle,
  partsOf,
  stemOf,
  stopWords,
  type WordMatches,
  wordPattern,
} from "./word-matches.ts";

export interface SearchIndex {
  pages: IndexedPage[];
  /** Fields and headings. `page` is an index in `pages`. */
  parts: [page: number, anchor: string, words: string][];
  /** By word, a number for each page with it: ten times the index in `pages`, plus the weight of the word in the page (1 to 9). */
  words: Record<string, number[]>;
  /** Notes about words that no page explains, such as a network that the contract does not have. `pages` are indexes of related pages. */
  notes: { words: string[]; text: string; pages: number[] }[];
}

interface IndexedPage {
  path: string;
  title: string;
  /** The kind of page, such as `Operation` or `Guide`. It is also part of the HTML title. */
  section: string;
  edition: string;
  /** Names besides the title, separated by commas. */
  names: string;
  description: string;
}

export interface SearchHit {
  path: string;
  title: string;
  kind: string;
  edition: string;
  part?: string;
  description: string;
}

/** `isApproximate` is true if no page matches all words; `hits` are then the pages that match best. */
export interface SearchResults {
  hits: SearchHit[];
  isApproximate: boolean;
  /** Words that no page contains, each with the similar word that was searched instead. */
  guesses: [typedWord: string, searchedWord: string][];
  /** The note about a word of the query. `hits` are then the pages about the other words or, without such pages, the pages of the note. */
  note?: string;
}

export const maxResults = 20;

/** The weight of each kind of page. A kind that is not listed has weight 1. */
const kindWeights: Record<string, number> = {
  Operation: 1.4,
  Guide: 1.2,
  Webhook: 1.2,
  Error: 1.2,
  "Open question": 0.7,
};

export function searchPages(index: SearchIndex, typedText: string, edition: string): SearchResults {
  const normalizedText = ` ${(typedText.match(wordPattern) ?? []).join(" ").toLowerCase()} `;
  const notesInQuery = index.notes.flatMap((note) =>
    note.words.flatMap((word) => (normalizedText.includes(` ${word} `) ? { note, word } : [])),
  );
  const [longestMatch] = notesInQuery.sort((a, b) => b.word.length - a.word.length);
  if (longestMatch === undefined) return findPages(index, normalizedText, edition);
  const { text, pages } = longestMatch.note;
  const otherWords = normalizedText.replace(` ${longestMatch.word} `, " ");
  const hits = pages.map((page) => hitOf(index.pages[page] as IndexedPage, index.parts, page, []));
  const otherResults = findPages(index, otherWords, edition);
  return otherResults.hits.length > 0
    ? { ...otherResults, note: text }
    : { hits, isApproximate: false, guesses: [], note: text };
}

/** Added to the word score of a page, which is at most 25.2: weight of the word (9), times rarity (2), times weight of the kind (1.4). */
const scores = {
  /** Multiplied by the similarity of a name, from 0 to 6: a page with the typed name comes before pages that only contain the words. */
  name: 10,
  /** Multiplied by the typed share of the title, so that the whole title counts less than one level of similarity. */
  title: 8,
  /** For a proposed operation, if the reader has chosen the edition `latest`, which lacks it: it comes after pages with the same score. */
  otherEdition: -0.5,
};

/** A page with fewer of the typed words than another page is a hit if its score is above this share of the highest score. */
const minShareOfHighestScore = 0.4;

function findPages(index: SearchIndex, typedText: string, edition: string): SearchResults {
  const typedWords = (typedText.match(wordPattern) ?? []).filter((word) => !stopWords.test(word));
  const queryWords = typedWords.flatMap((word) => partsOf(word, index.words));
  const matches = matchesOfQuery(queryWords, index.words);
  const likeliestWords = queryWords.map((word, position) => likeliestMatch(matches[position]) ?? ([word, 1] as const));
  const correctedQuery = likeliestWords.map(([word]) => word).join(" ");
  const rankedPages = rankPages(index, matches, correctedQuery, edition);
  const mostWords = Math.max(0, ...rankedPages.map(({ wordCount }) => wordCount));
  const minScore = minShareOfHighestScore * (rankedPages[0]?.score ?? 0);
  const hits = rankedPages
    .filter(({ wordCount, score }) => wordCount === mostWords || score > minScore)
    .slice(0, maxResults)
    .map(({ page, position }) => hitOf(page, index.parts, position, matches));
  const guesses = queryWords.flatMap((word, position): [string, string][] => {
    const [searchedWord, similarity] = likeliestWords[position] ?? [word, 1];
    return similarity <= maxSimilarityOfGuess && !searchedWord.startsWith(stemOf(word)) ? [[word, searchedWord]] : [];
  });
  return { hits, isApproximate: mostWords < queryWords.length, guesses };
}

function matchesOfQuery(queryWords: readonly string[], words: SearchIndex["words"]): WordMatches[] {
  return queryWords.map((word, position) => {
    const matches = matchesOf(word, words);
    // Two typed words may be one word in the index: “web hook”.
    for (const joinedWord of [`${queryWords[position - 1]}${word}`, `${word}${queryWords[position + 1]}`])
      if (Object.hasOwn(words, joinedWord)) matches.set(joinedWord, 1);
    return matches;
  });
}

function likeliestMatch(matches: WordMatches = new Map()): readonly [string, number] | undefined {
  return [...matches].sort(([, similarityA], [, similarityB]) => similarityB - similarityA)[0];
}

/** For the words of a query that a page has: their number, the sum of their scores, and the sum of their weights. */
interface PageMatch {
  wordCount: number;
  score: number;
  weight: number;
}

/** Best first. A page has at least one of the words. `position` is the index of the page in `pages`. */
function rankPages({ pages, words }: SearchIndex, matches: readonly WordMatches[], query: string, edition: string) {
  const { matchesByPage, totalWeight } = matchPages(matches, words, pages.length);
  return pages
    .flatMap((page, position) => {
      const match = matchesByPage.get(position);
      if (match === undefined) return [];
      const share = match.weight / totalWeight;
      const wordScore = (match.score / matches.length) * (kindWeights[page.section] ?? 1) * share;
      const nameScore =
        similarityOf(page, query) * scores.name + scores.title * titleShare(page.title, matches) * share;
      const editionScore = page.edition === "test" && edition !== "test" ? scores.otherEdition : 0;
      return [{ page, position, wordCount: match.wordCount, score: wordScore + nameScore + editionScore }];
    })
    .sort((a, b) => b.score - a.score);
}

/** The fewer pages have a word, the more it weighs. `totalWeight` is the weight of all words. */
function matchPages(matches: readonly WordMatches[], words: SearchIndex["words"], pageCount: number) {
  const matchesByPage = new Map<number, PageMatch>();
  let totalWeight = 0;
  for (const wordMatches of matches) {
    const bestScores = bestScoresOf(wordMatches, words);
    const weight = bestScores.size === 0 ? 0 : Math.sqrt(Math.log(1 + pageCount / bestScores.size));
    totalWeight += weight;
    for (const [page, score] of bestScores) {
      const match = matchesByPage.get(page) ?? { wordCount: 0, score: 0, weight: 0 };
      matchesByPage.set(page, {
        wordCount: match.wordCount + 1,
        score: match.score + score,
        weight: match.weight + weight,
      });
    }
  }
  return { matchesByPage, totalWeight };
}

/** By page, the highest score of a matching word: its similarity, times its rarity, times its weight in the page. */
function bestScoresOf(matches: WordMatches, words: SearchIndex["words"]): Map<number, number> {
  const bestScores = new Map<number, number>();
  for (const [word, similarity] of matches) {
    const entries = words[word] ?? [];
    const rarity = 1 + 1 / Math.sqrt(entries.length);
    for (const entry of entries) {
      const page = Math.floor(entry / 10);
      bestScores.set(page, Math.max(bestScores.get(page) ?? 0, similarity * rarity * (entry % 10)));
    }
  }
  return bestScores;
}

/** The share of the words of a title, without stop words and P-codes, that were typed. A title counts as at least two words. */
function titleShare(title: string, matches: readonly WordMatches[]): number {
  const allWords = title.toLowerCase().match(wordPattern) ?? [];
  const titleWords = allWords.filter((word) => !stopWords.test(word) && !/^p\d/.test(word));
  const isTyped = (word: string) => matches.some((words) => (words.get(word) ?? 0) > minSimilarityInTitle);
  return titleWords.filter(isTyped).length / Math.max(titleWords.length, 2);
}

function hitOf(
  { path, title, section: kind, edition, description, names }: IndexedPage,
  parts: SearchIndex["parts"],
  index: number,
  matches: readonly WordMatches[],
): SearchHit {
  const hasAllWords = (text: string) => {
    const textWords = new Set(text.toLowerCase().match(wordPattern));
    return matches.every((words) => [...words.keys()].some((word) => textWords.has(word)));
  };
  const hit = { path, title, kind, edition, description };
  if (hasAllWords(title) || hasAllWords(names)) return hit;
  const [, anchor, part] = parts.find(([page, , words]) => page === index && hasAllWords(words)) ?? [];
  return part === undefined ? hit : { ...hit, path: `${path}#${anchor}`, part };
}

/** Similarities between the names of a page and the typed words. The shares are from 0 to 1. */
const nameSimilarity = {
  sameTitle: 5,
  beginningOfTitle: 4,
  sameName: 3,
  /** The typed share of the title is added. A reader who types words of an operation's title wants the operation. */
  allWordsInTitle: { Operation: 5, other: 2 },
  /** The typed share of the name is added. */
  partOfName: { Operation: 3, other: 0 },
};

/** From 0 to 6. */
function similarityOf(page: IndexedPage, typedText: string): number {
  const query = lowerCaseWords(typedText);
  if (query === "") return 0;
  const [titleText, ...otherNames] = [page.title, ...page.names.split(", ")].map(lowerCaseWords) as [
    string,
    ...string[],
  ];
  const titleHasAllWords = query.split(" ").every((word) => ` ${titleText} `.includes(` ${word} `));
  const share = query.length / titleText.length;
  const kind = page.section === "Operation" ? "Operation" : "other";
  const { allWordsInTitle, partOfName, sameTitle, beginningOfTitle, sameName } = nameSimilarity;
  if (titleHasAllWords && kind === "Operation") return allWordsInTitle.Operation + share;
  if (titleText === query) return sameTitle;
  if (titleText.startsWith(`${query} `)) return beginningOfTitle;
  if (otherNames.includes(query)) return sameName;
  if (titleHasAllWords) return allWordsInTitle.other + share;
  const nameShares = otherNames
    .filter((name) => ` ${name} `.includes(` ${query} `))
    .map((name) => query.length / name.length);
  return nameShares.length === 0 ? 0 : partOfName[kind] + Math.max(...nameShares);
}

function lowerCaseWords(words: string): string {
  return (words.toLowerCase().match(wordPattern) ?? [])
    .filter((candidate) => !stopWords.test(candidate))
    .map(stemOf)
    .join(" ");
}
