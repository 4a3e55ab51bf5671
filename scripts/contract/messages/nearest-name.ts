/** The name that somebody may have meant. */

/** Names that have less in common with a text do not resemble it. */
const leastLikeness = 0.4;

/**
 * The name that looks most like a text, by the pairs of letters that both have; undefined when none resembles it.
 *
 * @param text as somebody has written it; capitals do not matter.
 */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const rated = names.map((name) => ({ name, likeness: likenessOf(text.toLowerCase(), name.toLowerCase()) }));
  const [nearest] = rated.sort((one, other) => other.likeness - one.likeness);
  return nearest !== undefined && nearest.likeness >= leastLikeness ? nearest.name : undefined;
}

/** From 0 for nothing in common to 1 for the same (Dice's coefficient). */
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

/** The ends count as well, so that a single letter has pairs. */
function pairsOf(text: string): string[] {
  const framed = ` ${text.slice(0, 64)} `;
  return Array.from({ length: framed.length - 1 }, (_, at) => framed.slice(at, at + 2));
}

/** ` Did you mean …?` where a name is nearly one of some; otherwise nothing. */
export function didYouMean(text: string, names: readonly string[], prefix = ""): string {
  const nearest = nearestName(text, names);
  return nearest === undefined ? "" : ` Did you mean ${prefix}${nearest}?`;
}
