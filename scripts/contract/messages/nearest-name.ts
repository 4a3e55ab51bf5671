const minLikeness = 0.4;

export function nearestName(text: string, names: readonly string[]): string | undefined {
  const rated = names.map((name) => ({ name, likeness: likenessOf(text.toLowerCase(), name.toLowerCase()) }));
  const [nearest] = rated.sort((one, other) => other.likeness - one.likeness);
  return nearest !== undefined && nearest.likeness >= minLikeness ? nearest.name : undefined;
}

/** Similarity by Dice's coefficient: from 0 (no common pair of adjacent characters) to 1 (the same pairs). */
function likenessOf(text: string, name: string): number {
  const pairs = pairsOf(text);
  const others = pairsOf(name);
  const all = pairs.length + others.length;
  const shared = pairs.filter((pair) => {
    const at = others.indexOf(pair);
    if (at < 0) return false;
    others.splice(at, 1);
    return true;
  });
  return (2 * shared.length) / all;
}

/** Adds a space at both ends, so that even a single letter has pairs. The limit of 64 characters bounds the time. */
function pairsOf(text: string): string[] {
  const framed = ` ${text.slice(0, 64)} `;
  return Array.from({ length: framed.length - 1 }, (_, at) => framed.slice(at, at + 2));
}

export function didYouMean(text: string, names: readonly string[], prefix = ""): string {
  const nearest = nearestName(text, names);
  return nearest === undefined ? "" : ` Did you mean ${prefix}${nearest}?`;
}
