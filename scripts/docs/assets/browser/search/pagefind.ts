/** The index of the search, as far as this site uses it. It is loaded when the search is used first. */

export interface Result {
  url: string;
  excerpt: string;
  meta: { title?: string; section?: string; names?: string; description?: string; edition?: string };
  sub_results: Part[];
  anchors?: { element: string; id: string }[];
}

/** A part of a page, under a heading. */
export interface Part {
  title: string;
  url: string;
  excerpt: string;
  weighted_locations?: { balanced_score: number }[];
}

export interface Index {
  options(options: { excerptLength: number; baseUrl: string; ranking: Ranking }): Promise<void>;
  init(): Promise<void>;
  search(words: string): Promise<{ results: { data(): Promise<Result> }[] }>;
}

interface Ranking {
  /** From 0 to 1: how much short pages go before long ones. */
  pageLength: number;
  /** How much more a word counts there than in the text. */
  metaWeights: Record<string, number>;
}

const ranking: Ranking = { pageLength: 0.4, metaWeights: { title: 20, names: 10 } };

/** Words of an excerpt. */
const excerptLength = 24;

/** The folder of the site, with a slash at its end. */
export function siteUrl(): string {
  const url = new URL(document.documentElement.dataset.root ?? ".", location.href).href;
  return url.endsWith("/") ? url : `${url}/`;
}

let loading: Promise<Index> | undefined;

/**
 * The index.
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
