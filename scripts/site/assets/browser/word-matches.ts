export const stopWords =
  /^(already|am|an?|and|are|as|at|be|but|by|can|did|do|does|for|from|has|have|how|i|if|in|is|its?|me|my|no|not|of|on|or|our|should|that|the|there|this|to|was|we|what|when|where|which|who|why|will|with|yet|you|your)$/;

export const wordPattern = /c#|[\p{L}\p{N}]+/giu;

/** The words of the index, as keys. */
type IndexWords = Readonly<Record<string, unknown>>;

/** Words of the index, each with its similarity to a typed word, from 0 to 1 (the same word). */
export type WordMatches = Map<string, number>;

/** The similarities by kind of match. If only the beginning of a word was typed, the similarity grows with the typed share of the word. */
const similarityOfSameStem = 0.9;
const similarityOfBeginning = (typedLength: number, length: number) => 0.5 + (0.4 * typedLength) / length;
const similarityOfBeginningOfStem = (typedLength: number, length: number) => 0.4 + (0.4 * typedLength) / length;
const similarityAtDistance = (distance: number) => 0.6 - 0.15 * distance;

/** Costs of edits, added to the distance: of a missing end, as the reader may still be typing the word, and of a missing `s` at the end. */
const endCost = 0.5;
const finalSCost = 0.1;

/** A word of a title counts as typed only above this similarity: if it has the stem of a typed word, or if more than half of it was typed. */
export const minSimilarityInTitle = similarityOfBeginning(1, 2);

/**
 * The similarity of a word with one more `s` at its end. A match up to this similarity is a guess at a misspelt word, unless the word
 * begins with the typed stem.
 */
export const maxSimilarityOfGuess = similarityAtDistance(finalSCost);

/** Splits a word that is not in the index into two words of the index, if possible: `cardpin` into `card` and `pin`. */
export function partsOf(typedText: string, words: IndexWords): string[] {
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

export function stemOf(typedText: string): string {
  return typedText
    .replace(/(?<=..)(?:ies|ied)$/, "y")
    .replace(/(?<=....)al$|(?<=...)(?:ing|ed|es|en|[sen])$/, "")
    .replace(/([^aeiou])\1$/, "$1");
}

/** Misspellings are considered only if nothing else matches, and from four letters on. */
export function matchesOf(typedText: string, words: IndexWords): WordMatches {
  const matches: WordMatches = new Map();
  if (Object.hasOwn(words, typedText)) matches.set(typedText, 1);
  const stem = stemOf(typedText);
  for (const word in words) {
    if (word === typedText) continue;
    if (word.startsWith(typedText)) matches.set(word, similarityOfBeginning(typedText.length, word.length));
    if (word.startsWith(stem.slice(0, 3)) && stemOf(word) === stem) matches.set(word, similarityOfSameStem);
    else if (stem.length > 3 && word.startsWith(stem) && !matches.has(word))
      matches.set(word, similarityOfBeginningOfStem(stem.length, word.length));
  }
  if (matches.size > 0 || typedText.length < 4) return matches;
  const maxDistance = typedText.length < 7 ? 1 : 2;
  for (let distance = maxDistance; matches.size === 0 && distance <= maxDistance + 1; distance += 1) {
    for (const word in words) {
      const wordDistance = distanceTo(typedText, word, distance);
      if (wordDistance <= distance) matches.set(word, similarityAtDistance(wordDistance));
    }
  }
  return matches;
}

/** The edit distance with transpositions. Above `limit` if `word` is too short, or a digit occurs: another code is not a misspelling. */
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
  const endingDistance = word.endsWith("s") ? (row[word.length - 1] ?? 0) + finalSCost : limit + 1;
  return Math.min(row[word.length] ?? 0, endingDistance, Math.min(...row.slice(typedText.length - 1)) + endCost);
}
