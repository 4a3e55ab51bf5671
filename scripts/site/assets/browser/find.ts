/** Finds pages by words, also misspelt ones, those first whose name is meant. */

/** What `search/search-index.ts` makes. */
export interface SearchIndex {
  pages: { path: string; title: string; section: string; edition: string; names: string; description: string }[];
  /** Fields and headings: the position of their page, their anchor and their words. */
  parts: [page: number, anchor: string, words: string][];
  /** By word, where it stands: ten times the position of the page, and how much the word counts there, from 1 to 9. */
  words: Record<string, number[]>;
}

/** A page that was found. */
export interface Hit {
  /** Below the folder of the site, with an anchor where a field or a heading is meant. */
  path: string;
  title: string;
  /** Kind of the page. */
  kind: string;
  /** The first edition that has what the page is about. */
  edition: string;
  /** The heading or the field that is meant. */
  part?: string;
  /** What the page is about. */
  description: string;
}

/** What was found; where no page has all of the words, those that are nearest. */
export interface Found {
  hits: Hit[];
  isNear: boolean;
}

/** Results that are shown. */
export const most = 20;

/** How much more pages of a kind count: most who search want to call something. Others count 1. */
const kinds: Record<string, number> = { Operation: 1.4, Guide: 1.2, Webhook: 1.2, Error: 1.2, "Open question": 0.7 };

/** Words that say nothing: they are in no index, and are not looked for. */
export const small =
  /^(an?|and|are|as|at|be|but|by|can|do|does|for|from|has|how|i|if|in|is|its?|my|no|not|of|on|or|that|the|this|to|what|when|where|which|with)$/;

/**
 * Pages that have these words.
 *
 * @param typed what somebody has typed.
 * @param edition that the reader has chosen: of equals, its pages go first.
 */
export function findIn({ pages, parts, words }: SearchIndex, typed: string, edition: string): Found {
  const all = (typed.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase());
  const wanted = all.filter((word) => !small.test(word));
  const scores = pages.map(() => 0);
  const counts = pages.map(() => 0);
  const meant = wanted.map((word) => matchesOf(word, words));
  for (const matches of meant) {
    const best = new Map<number, number>();
    for (const [word, likeness] of matches) {
      const places = words[word] ?? [];
      // A word that few pages have says more.
      const rarity = 1 + 1 / Math.sqrt(places.length);
      for (const place of places) {
        const page = Math.floor(place / 10);
        best.set(page, Math.max(best.get(page) ?? 0, likeness * rarity * (place % 10)));
      }
    }
    for (const [page, score] of best) {
      scores[page] = (scores[page] ?? 0) + score;
      counts[page] = (counts[page] ?? 0) + 1;
    }
  }
  const complete = Math.max(...counts);
  // What was meant, with each word as the index has it.
  const corrected = typed.toLowerCase().replace(/[\p{L}\p{N}]+/gu, (word) => {
    const [best] = [...(meant[wanted.indexOf(word)] ?? [])].sort(([, one], [, other]) => other - one);
    return best?.[0] ?? word;
  });
  const hits = pages
    .flatMap((page, index) => {
      if (counts[index] === 0 || counts[index] !== complete) return [];
      const base = ((scores[index] ?? 0) / wanted.length) * (kinds[page.section] ?? 1);
      const score = base + 10 * likenessOf(page, corrected) - (page.edition === "test" && edition !== "test" ? 0.5 : 0);
      return [{ page, index, score }];
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ page, index }) => hitOf(page, parts, index, meant));
  return { hits, isNear: complete < wanted.length };
}

/** The words of the index that a typed one can mean, each with how likely that is, from 0 to 1. */
function matchesOf(typed: string, words: SearchIndex["words"]): Map<string, number> {
  const matches = new Map<string, number>();
  if (Object.hasOwn(words, typed)) matches.set(typed, 1);
  for (const word in words) {
    if (word.startsWith(typed) && word !== typed) matches.set(word, 0.5 + (0.4 * typed.length) / word.length);
  }
  if (matches.size > 0 || typed.length < 4) return matches;
  const allowed = typed.length < 7 ? 1 : 2;
  for (let distance = allowed; matches.size === 0 && distance <= allowed + 1; distance += 1) {
    for (const word in words) {
      const far = distanceTo(typed, word, distance);
      if (far <= distance) matches.set(word, 0.6 - 0.15 * far);
    }
  }
  return matches;
}

/**
 * How many letters of a word are missing, added, wrong or exchanged with their neighbour, up to a limit. The end of a longer
 * word may be missing: `witdraw` is one letter from `withdrawal`, and a half for its end.
 */
function distanceTo(typed: string, word: string, limit: number): number {
  if (word.length < typed.length - limit || /\d/.test(typed + word)) return limit + 1;
  let [before, row] = [[] as number[], Array.from({ length: word.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= typed.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= word.length; j += 1) {
      const isSame = typed[i - 1] === word[j - 1];
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (isSame ? 0 : 1));
      const isExchanged = i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1];
      if (isExchanged) next[j] = Math.min(next[j] ?? 0, (before[j - 2] ?? 0) + 1);
    }
    [before, row] = [row, next];
  }
  const ending = word.endsWith("s") ? (row[word.length - 1] ?? 0) + 0.1 : limit + 1;
  return Math.min(row[word.length] ?? 0, ending, Math.min(...row.slice(typed.length - 1)) + 0.5);
}

/** The page, or the field or heading of it whose words are meant, unless its name is. */
function hitOf(
  { path, title, section: kind, edition, description, names }: SearchIndex["pages"][number],
  parts: SearchIndex["parts"],
  index: number,
  meant: readonly Map<string, number>[],
): Hit {
  const has = (text: string) => {
    const own = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
    return meant.every((matches) => [...matches.keys()].some((word) => own.has(word)));
  };
  const hit = { path, title, kind, edition, description };
  if (has(title) || has(names)) return hit;
  const [, anchor, part] = parts.find(([page, , words]) => page === index && has(words)) ?? [];
  return part === undefined ? hit : { ...hit, path: `${path}#${anchor}`, part };
}

/** How much the names of a page are like all of what was typed, from 0 to 6. A call with the words in its name is meant first. */
function likenessOf(page: { title: string; names: string; section?: string }, typed: string): number {
  const wanted = plain(typed);
  const [own, ...others] = [page.title, ...page.names.split(", ")].map(plain) as [string, ...string[]];
  const hasAll = wanted.split(" ").every((word) => ` ${own} `.includes(` ${word} `));
  // Of names with all of the words, the shorter one is the nearer.
  const share = wanted.length / own.length;
  if (hasAll && page.section === "Operation") return 5 + share;
  if (own === wanted) return 5;
  if (own.startsWith(`${wanted} `)) return 4;
  if (others.includes(wanted)) return 3;
  if (hasAll) return 2 + share;
  return others.some((name) => name.startsWith(wanted)) ? 1 : 0;
}

/** Words to be compared: without articles, hyphens and the s of a plural. */
function plain(words: string): string {
  return words
    .toLowerCase()
    .replace(/[-_\s]+/g, " ")
    .replace(/\b(?:an?|the) |(?<=\w{3})s\b/g, "")
    .trim();
}

/** The folder of the site, with a slash at its end. */
export function siteUrl(): string {
  const url = new URL(document.documentElement.dataset.root ?? ".", location.href).href;
  return url.endsWith("/") ? url : `${url}/`;
}

let loading: Promise<SearchIndex> | undefined;

/**
 * The index, loaded when the search is used first.
 *
 * @throws {Error} when it cannot be loaded: a page that is opened from the disk may not load it.
 */
export function loadIndex(): Promise<SearchIndex> {
  loading ??= fetch(`${siteUrl()}search.json`)
    .then((response) => (response.ok ? response.json() : Promise.reject(new Error(String(response.status)))))
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}
