/** Finds pages by words, those first whose name is meant. */
import { loadIndex, type Part, type Result } from "./pagefind.ts";

/** A page that was found. */
export interface Hit {
  url: string;
  title: string;
  /** Kind of the page. */
  kind: string;
  /** Whether the edition that the reader has chosen does not have what the page is about. */
  isElsewhere: boolean;
  /** The heading or the field under which the words stand, unless the page itself is meant. */
  part: string | undefined;
  /** HTML with the words marked, made by the index. */
  excerpt: string;
}

/** Results that are read, ranked and shown; each is a small file. The index has them in an order of its own. */
const read = 20;

/** How sure it is that a page is meant: its name, another of its names, or a field of it is what was typed. */
const likeness = { title: 5, begins: 4, otherName: 3, allWords: 2, part: 1, none: 0 };

/**
 * Pages with these words.
 *
 * @returns the best first, and how many there are.
 * @throws {Error} when the index cannot be loaded.
 */
export async function find(words: string): Promise<{ hits: Hit[]; count: number }> {
  const index = await loadIndex();
  const { results } = await index.search(words);
  const pages = await Promise.all(results.slice(0, read).map((result) => result.data()));
  const ranked = pages
    .map((page) => {
      const field = fieldOf(page, words);
      return { page, field, rank: Math.max(likenessOf(page, words), field === undefined ? 0 : likeness.part) };
    })
    // Of equals, those of the chosen edition go first.
    .sort((a, b) => b.rank - a.rank || Number(isElsewhere(a.page)) - Number(isElsewhere(b.page)))
    .map(({ page, field, rank }) => hitOf(page, { words, field, rank }));
  return { hits: ranked, count: results.length };
}

/** How much the names of a page are like what was typed. */
export function likenessOf({ meta: { title = "", names = "" } }: Pick<Result, "meta">, typed: string): number {
  const wanted = plain(typed);
  const own = plain(title);
  const others = names.split(", ").map(plain);
  if (own === wanted) return likeness.title;
  if (own.startsWith(wanted)) return likeness.begins;
  if (others.includes(wanted)) return likeness.otherName;
  if (wanted.split(" ").every((word) => ` ${own} `.includes(` ${word} `))) return likeness.allWords;
  return others.some((name) => name.startsWith(wanted)) ? likeness.part : likeness.none;
}

/** Words to be compared: without articles and hyphens. */
function plain(words: string): string {
  return words
    .toLowerCase()
    .replace(/[-_\s]+/g, " ")
    .replace(/\b(?:an?|the) /g, "")
    .trim();
}

function isElsewhere({ meta }: Pick<Result, "meta">): boolean {
  return meta.edition === "test" && document.documentElement.dataset.editionShown !== "test";
}

interface Found {
  words: string;
  /** The anchor of the field that is meant. */
  field: string | undefined;
  rank: number;
}

function hitOf({ url, excerpt, meta, sub_results: parts }: Result, { words, field, rank }: Found): Hit {
  const { title = url, section: kind = "" } = meta;
  const hit: Hit = { url, title, kind, isElsewhere: isElsewhere({ meta }), part: undefined, excerpt };
  if (field !== undefined) return { ...hit, url: `${url}#${field}`, part: words };
  // Of a page that is meant by its name, what it is about says more than where the name stands.
  if (rank >= likeness.otherName) return { ...hit, excerpt: meta.description ?? excerpt };
  const best = bestPart(parts);
  if (best === undefined) return hit;
  return { ...hit, url: best.url, part: best.title, excerpt: best.excerpt };
}

/** The anchor of the field with this name. */
function fieldOf({ anchors = [] }: Result, name: string): string | undefined {
  const end = new RegExp(`[-.]${name.replace(/[^\w]/g, "")}$`, "i");
  return anchors.find(({ element, id }) => element === "li" && end.test(id))?.id;
}

/** The part that has the words most of all; undefined where that is the beginning of the page. */
function bestPart(parts: readonly Part[]): Part | undefined {
  const score = ({ weighted_locations: places = [] }: Part) =>
    places.reduce((sum, { balanced_score }) => sum + balanced_score, 0);
  const best = [...parts].sort((a, b) => score(b) - score(a))[0];
  return best?.url.includes("#") ? best : undefined;
}
