const minSimilarity = 0.4;

/** @returns undefined if no name is similar enough to be suggested. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const candidates = names.map((name) => ({ name, similarity: similarityOf(text.toLowerCase(), name.toLowerCase()) }));
  const [nearestCandidate] = candidates.sort((a, b) => b.similarity - a.similarity);
  return nearestCandidate !== undefined && nearestCandidate.similarity >= minSimilarity
    ? nearestCandidate.name
    : undefined;
}

/** Dice's coefficient: from 0 (no common pair of adjacent characters) to 1 (the same pairs). */
function similarityOf(text: string, name: string): number {
  const pairs = pairsOf(text);
  const unmatchedPairs = pairsOf(name);
  const total = pairs.length + unmatchedPairs.length;
  const sharedPairs = pairs.filter((pair) => {
    const index = unmatchedPairs.indexOf(pair);
    if (index < 0) return false;
    unmatchedPairs.splice(index, 1);
    return true;
  });
  return (2 * sharedPairs.length) / total;
}

/** A space is added at both ends, so that a single letter has pairs too. Only the first 64 characters are used, to limit the time. */
function pairsOf(text: string): string[] {
  const paddedText = ` ${text.slice(0, 64)} `;
  return Array.from({ length: paddedText.length - 1 }, (_, index) => paddedText.slice(index, index + 2));
}

export function didYouMean(text: string, names: readonly string[], prefix = ""): string {
  const suggestion = nearestName(text, names);
  return suggestion === undefined ? "" : ` Did you mean ${prefix}${suggestion}?`;
}
