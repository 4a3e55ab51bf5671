/** Searches pages by words, tolerating misspellings; pages with a matching name rank higher. */

export interface SearchIndex {
  pages: { path: string; title: string; section: string; edition: string; names: string; description: string }[];
  /** Fields and headings. `page` is an index in `pages`. */
  parts: [page: number, anchor: string, words: string][];
  /** By word, a number for each page with the word: ten times the index in `pages`, plus the weight of the word in the page (1 to 9). */
  words: Record<string, number[]>;
  /** Notes about words that no page is about, such as a network that the contract does not have. `pages` are indexes of related pages. */
  notes: { words: string[]; text: string; pages: number[] }[];
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

/** Kinds of pages that are not listed have weight 1. Operations have the highest weight, since most searches are for them. */
const kindWeights: Record<string, number> = {
  Operation: 1.4,
  Guide: 1.2,
  Webhook: 1.2,
  Error: 1.2,
  "Open question": 0.7,
};

export const stopWords =
  /^(already|am|an?|and|are|as|at|be|but|by|can|did|do|does|for|from|has|have|how|i|if|in|is|its?|me|my|no|not|of|on|or|our|should|that|the|there|this|to|was|we|what|when|where|which|who|why|will|with|yet|you|your)$/;

export const wordPattern = /c#|[\p{L}\p{N}]+/giu;

export function searchPages(index: SearchIndex, typedText: string, edition: string): SearchResults {
  const lowerCase = ` ${(typedText.match(wordPattern) ?? []).join(" ").toLowerCase()} `;
  const notesInQuery = index.notes.flatMap((note) =>
    note.words.flatMap((word) => (lowerCase.includes(` ${word} `) ? { note, word } : [])),
  );
  const [longestMatch] = notesInQuery.sort((a, b) => b.word.length - a.word.length);
  if (longestMatch === undefined) return findPages(index, lowerCase, edition);
  const { text, pages } = longestMatch.note;
  const otherWords = lowerCase.replace(longestMatch.word, " ");
  const hits = pages.map((page) => hitOf(index.pages[page] as SearchIndex["pages"][number], index.parts, page, []));
  const otherResults = findPages(index, otherWords, edition);
  return otherResults.hits.length > 0
    ? { ...otherResults, note: text }
    : { hits, isApproximate: false, guesses: [], note: text };
}

function findPages({ pages, parts, words }: SearchIndex, typedText: string, edition: string): SearchResults {
  const typedWords = typedText.match(wordPattern) ?? [];
  const queryWords = typedWords.filter((word) => !stopWords.test(word)).flatMap((word) => partsOf(word, words));
  const scores = pages.map(() => 0);
  const counts = pages.map(() => 0);
  const coveredWeight = pages.map(() => 0);
  let totalWeight = 0;
  const candidates = queryWords.map((word) => matchesOf(word, words));
  for (const [position, matches] of candidates.entries()) {
    // Two typed words may be one word in the index: “web hook”.
    for (const joinedWord of [
      `${queryWords[position - 1]}${queryWords[position]}`,
      `${queryWords[position]}${queryWords[position + 1]}`,
    ])
      if (Object.hasOwn(words, joinedWord)) matches.set(joinedWord, 1);
    const bestByPage = new Map<number, number>();
    for (const [word, similarity] of matches) {
      const entries = words[word] ?? [];
      const rarity = 1 + 1 / Math.sqrt(entries.length);
      for (const entry of entries) {
        const page = Math.floor(entry / 10);
        bestByPage.set(page, Math.max(bestByPage.get(page) ?? 0, similarity * rarity * (entry % 10)));
      }
    }
    const weight = bestByPage.size === 0 ? 0 : Math.sqrt(Math.log(1 + pages.length / bestByPage.size));
    totalWeight += weight;
    for (const [page, score] of bestByPage) {
      scores[page] = (scores[page] ?? 0) + score;
      counts[page] = (counts[page] ?? 0) + 1;
      coveredWeight[page] = (coveredWeight[page] ?? 0) + weight;
    }
  }
  const mostWords = Math.max(...counts);
  const likeliestWords = queryWords.map(
    (word, position) => likeliestMatch(candidates[position]) ?? ([word, 1] as const),
  );
  const correctedQuery = likeliestWords.map(([word]) => word).join(" ");
  const rankedPages = pages
    .flatMap((page, index) => {
      if (!counts[index]) return [];
      const share = (coveredWeight[index] ?? 0) / totalWeight;
      const baseScore = ((scores[index] ?? 0) / queryWords.length) * (kindWeights[page.section] ?? 1) * share;
      const nameScore = similarityOf(page, correctedQuery) * 10 + 8 * titleShare(page.title, candidates) * share;
      const score = baseScore + nameScore - (page.edition === "test" && edition !== "test" ? 0.5 : 0);
      return [{ page, index, score }];
    })
    .sort((a, b) => b.score - a.score);
  const minScore = 0.4 * (rankedPages[0]?.score ?? 0);
  const hits = rankedPages
    .filter(({ index, score }) => counts[index] === mostWords || score > minScore)
    .slice(0, maxResults)
    .map(({ page, index }) => hitOf(page, parts, index, candidates));
  const guesses = queryWords.flatMap((word, position) => {
    const [searchedWord, similarity] = likeliestWords[position] ?? [word, 1];
    return similarity <= maxGuessSimilarity && !searchedWord.startsWith(stemOf(word))
      ? [[word, searchedWord] as [string, string]]
      : [];
  });
  return { hits, isApproximate: mostWords < queryWords.length, guesses };
}

function likeliestMatch(matches: ReadonlyMap<string, number> = new Map()): readonly [string, number] | undefined {
  return [...matches].sort(([, similarityA], [, similarityB]) => similarityB - similarityA)[0];
}

/** The greatest similarity that `matchesOf` gives to a word found by edit distance: one that differs by a final `s`. */
const maxGuessSimilarity = 0.585;

/**
 * The share of the words of a title, without stop words and P-codes, that the query contains or resembles, from 0 to 1. A title counts as at
 * least two words.
 */
function titleShare(title: string, candidates: readonly Map<string, number>[]): number {
  const titleWords = (title.toLowerCase().match(wordPattern) ?? []).filter(
    (candidate) => !stopWords.test(candidate) && !/^p\d/.test(candidate),
  );
  return (
    titleWords.filter((titleWord) => candidates.some((matches) => (matches.get(titleWord) ?? 0) > 0.7)).length /
    Math.max(titleWords.length, 2)
  );
}

/** Splits a word that is not in the index into two words of the index, if possible: `cardpin` into `card` and `pin`. */
function partsOf(typedText: string, words: SearchIndex["words"]): string[] {
  const isKnown = (part: string) => Object.hasOwn(words, part);
  const stem = stemOf(typedText);
  if (
    isKnown(typedText) ||
    Object.keys(words).some((candidate) => candidate.startsWith(typedText) || stemOf(candidate) === stem)
  )
    return [typedText];
  for (let position = typedText.length - 3; position >= 3; position -= 1) {
    const [startForms, endForms] = [typedText.slice(0, position), typedText.slice(position)].map((part) => [
      part,
      part.replace(/(?<=...)(?:s|n|en)$/, ""),
    ]);
    const [firstWord, secondWord] = [startForms?.find(isKnown), endForms?.find(isKnown)];
    if (firstWord !== undefined && secondWord !== undefined) return [firstWord, secondWord];
  }
  return [typedText];
}

function stemOf(typedText: string): string {
  return typedText
    .replace(/(?<=..)(?:ies|ied)$/, "y")
    .replace(/(?<=....)al$|(?<=...)(?:ing|ed|es|en|[sen])$/, "")
    .replace(/([^aeiou])\1$/, "$1");
}

/** The index words that a typed word may mean, each with a similarity from 0 to 1. */
function matchesOf(typedText: string, words: SearchIndex["words"]): Map<string, number> {
  const matches = new Map<string, number>();
  if (Object.hasOwn(words, typedText)) matches.set(typedText, 1);
  const stem = stemOf(typedText);
  for (const word in words) {
    if (word === typedText) continue;
    if (word.startsWith(typedText)) matches.set(word, 0.5 + (0.4 * typedText.length) / word.length);
    if (word.startsWith(stem.slice(0, 3)) && stemOf(word) === stem) matches.set(word, 0.9);
    else if (stem.length > 3 && word.startsWith(stem) && !matches.has(word))
      matches.set(word, 0.4 + (0.4 * stem.length) / word.length);
  }
  if (matches.size > 0 || typedText.length < 4) return matches;
  const maxDistance = typedText.length < 7 ? 1 : 2;
  for (let distance = maxDistance; matches.size === 0 && distance <= maxDistance + 1; distance += 1) {
    for (const word in words) {
      const wordDistance = distanceTo(typedText, word, distance);
      if (wordDistance <= distance) matches.set(word, 0.6 - 0.15 * wordDistance);
    }
  }
  return matches;
}

/**
 * The edit distance with transpositions; more than `limit` if `word` is too short or a word has a digit. If `typedText` lacks the end of `word`,
 * the missing end counts 0.5, or 0.1 if it is only an `s`.
 */
function distanceTo(typedText: string, word: string, limit: number): number {
  if (word.length < typedText.length - limit || /\d/.test(typedText + word)) return limit + 1;
  let [previousRow, row] = [[] as number[], Array.from({ length: word.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= typedText.length; i += 1) {
    const nextRow = [i];
    for (let j = 1; j <= word.length; j += 1) {
      const isSameCharacter = typedText[i - 1] === word[j - 1];
      nextRow[j] = Math.min(
        (row[j] ?? 0) + 1,
        (nextRow[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSameCharacter ? 0 : 1),
      );
      const isExchanged = i > 1 && j > 1 && typedText[i - 1] === word[j - 2] && typedText[i - 2] === word[j - 1];
      if (isExchanged) nextRow[j] = Math.min(nextRow[j] ?? 0, (previousRow[j - 2] ?? 0) + 1);
    }
    [previousRow, row] = [row, nextRow];
  }
  const endingDistance = word.endsWith("s") ? (row[word.length - 1] ?? 0) + 0.1 : limit + 1;
  return Math.min(row[word.length] ?? 0, endingDistance, Math.min(...row.slice(typedText.length - 1)) + 0.5);
}

function hitOf(
  { path, title, section: kind, edition, description, names }: SearchIndex["pages"][number],
  parts: SearchIndex["parts"],
  index: number,
  candidates: readonly Map<string, number>[],
): SearchHit {
  const hasAllWords = (text: string) => {
    const textWords = new Set(text.toLowerCase().match(wordPattern));
    return candidates.every((matches) => [...matches.keys()].some((candidate) => textWords.has(candidate)));
  };
  const hit = { path, title, kind, edition, description };
  if (hasAllWords(title) || hasAllWords(names)) return hit;
  const [, anchor, part] = parts.find(([page, , words]) => page === index && hasAllWords(words)) ?? [];
  return part === undefined ? hit : { ...hit, path: `${path}#${anchor}`, part };
}

/** The similarity between the names of a page and the typed words, from 0 to 6. */
function similarityOf(page: { title: string; names: string; section?: string }, typedText: string): number {
  const query = lowerCaseWords(typedText);
  if (query === "") return 0;
  const [titleText, ...otherNames] = [page.title, ...page.names.split(", ")].map(lowerCaseWords) as [
    string,
    ...string[],
  ];
  const titleHasAllWords = query.split(" ").every((word) => ` ${titleText} `.includes(` ${word} `));
  const share = query.length / titleText.length;
  if (titleHasAllWords && page.section === "Operation") return 5 + share;
  if (titleText === query) return 5;
  if (titleText.startsWith(`${query} `)) return 4;
  if (otherNames.includes(query)) return 3;
  if (titleHasAllWords) return 2 + share;
  const nameShares = otherNames
    .filter((name) => ` ${name} `.includes(` ${query} `))
    .map((name) => query.length / name.length);
  return nameShares.length === 0 ? 0 : Math.max(...nameShares) + (page.section === "Operation" ? 3 : 0);
}

function lowerCaseWords(words: string): string {
  return (words.toLowerCase().match(wordPattern) ?? [])
    .filter((candidate) => !stopWords.test(candidate))
    .map(stemOf)
    .join(" ");
}
