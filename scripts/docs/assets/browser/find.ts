/** Finds pages by words with the index of Pagefind, those first whose name is meant. */

/** A page, as far as this site uses what the index has of it. */
interface Result {
  url: string;
  excerpt: string;
  meta: { title?: string; section?: string; names?: string; description?: string; edition?: string };
  /** Parts of the page, under a heading. */
  sub_results: { title: string; url: string; excerpt: string; weighted_locations?: { balanced_score: number }[] }[];
  anchors?: { element: string; id: string }[];
}

interface Index {
  options(options: object): Promise<void>;
  init(): Promise<void>;
  search(words: string): Promise<{ results: { data(): Promise<Result> }[] }>;
}

/** How much short pages go before long ones, from 0 to 1, and how much more a word counts in names than in the text. */
const ranking = { pageLength: 0.4, metaWeights: { title: 20, names: 10 } };

/** Words of an excerpt. */
const excerptLength = 24;

/** Results that are read, ranked and shown; each is a small file. The index has them in an order of its own. */
const read = 20;

/** How sure it is that a page is meant: its name, another of its names, or a field of it is what was typed. */
const likeness = { title: 5, begins: 4, otherName: 3, allWords: 2, part: 1, none: 0 };

/** The folder of the site, with a slash at its end. */
export function siteUrl(): string {
  const url = new URL(document.documentElement.dataset.root ?? ".", location.href).href;
  return url.endsWith("/") ? url : `${url}/`;
}

let loading: Promise<Index> | undefined;

/**
 * The index, loaded when the search is used first.
 *
 * @throws {Error} when it cannot be loaded: a page that is opened from the disk may not load it.
 */
export function loadIndex(): Promise<Index> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Index> {
  if (location.protocol === "file:") throw new Error("A page that is opened from the disk cannot load the index.");
  const base = siteUrl();
  const index: Index = await import(`${base}pagefind/pagefind.js`);
  await index.options({ excerptLength, baseUrl: new URL(base).pathname, ranking });
  await index.init();
  return index;
}

/** A page that was found. */
export interface Hit {
  url: string;
  title: string;
  /** Kind of the page. */
  kind: string;
  rank: number;
  /** Whether the edition that the reader has chosen does not have what the page is about. */
  isElsewhere: boolean;
  /** The heading or the field under which the words stand, unless the page itself is meant. */
  part?: string;
  /** HTML with the words marked, made by the index. */
  excerpt: string;
}

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
  // Of equals, those of the chosen edition go first.
  const hits = pages
    .map((page) => hitOf(page, words))
    .sort((a, b) => b.rank - a.rank || Number(a.isElsewhere) - Number(b.isElsewhere));
  return { hits, count: results.length };
}

function hitOf({ url, excerpt, meta, sub_results: parts, anchors = [] }: Result, words: string): Hit {
  const { title = url, section: kind = "", edition, description = excerpt } = meta;
  const isElsewhere = edition === "test" && document.documentElement.dataset.editionShown !== "test";
  const rank = likenessOf({ meta }, words);
  const hit: Hit = { url, title, kind, rank, isElsewhere, excerpt };
  const ending = new RegExp(`[-.]${words.replace(/[^\w]/g, "")}$`, "i");
  const field = anchors.find(({ element, id }) => element === "li" && ending.test(id));
  if (field !== undefined) {
    return { ...hit, url: `${url}#${field.id}`, part: words, rank: Math.max(rank, likeness.part) };
  }
  // Of a page that is meant by its name, what it is about says more than where the name stands.
  if (rank >= likeness.otherName) return { ...hit, excerpt: description };
  const score = ({ weighted_locations: places = [] }: (typeof parts)[number]) =>
    places.reduce((sum, { balanced_score }) => sum + balanced_score, 0);
  const [best] = [...parts].sort((a, b) => score(b) - score(a));
  // The beginning of the page is no part of it.
  return best?.url.includes("#") ? { ...hit, url: best.url, part: best.title, excerpt: best.excerpt } : hit;
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
