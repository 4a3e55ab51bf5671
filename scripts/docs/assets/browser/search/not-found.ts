/** The page for unknown addresses searches for the words of the address. */
import { make } from "../dom.ts";
import { find, type Hit } from "./find.ts";
import { siteUrl } from "./pagefind.ts";
import { countWords, failureWords, resultItem } from "./results.ts";

/** Results that are shown. */
const shown = 8;

export async function searchAddress(): Promise<void> {
  const page = document.querySelector(".page-not-found");
  const words = wordsOf(location.href);
  if (page === null || words.length === 0) return;
  const status = make("p", { role: "status" });
  const list = make("ol", { class: "results" });
  const heading = make("h2", {}, `Pages about “${words.join(" ")}”`);
  page.append(make("section", {}, heading, status, list));
  try {
    const hits = await findAny(words);
    status.textContent = countWords(hits.length);
    list.replaceChildren(...hits.slice(0, shown).map(resultItem));
  } catch {
    status.textContent = failureWords();
  }
}

/** Pages with all of the words; where there is none, pages with any of them. */
async function findAny(words: readonly string[]): Promise<Hit[]> {
  const { hits } = await find(words.join(" "));
  if (hits.length > 0) return hits;
  const found = await Promise.all(words.map((word) => find(word)));
  return [...new Map(found.flatMap((part) => part.hits).map((hit) => [hit.url, hit])).values()];
}

/** The words of an address, without the folder of the site and without endings of files. */
function wordsOf(address: string): string[] {
  const base = siteUrl();
  const path = address.startsWith(base) ? address.slice(base.length) : new URL(address).pathname;
  const last = decodeURIComponent(path.replace(/[?#].*$/, "")).split("/");
  const name = last.filter((part) => part !== "").at(-1) ?? "";
  return name
    .replace(/\.\w+$/, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && word !== "index" && word !== "404");
}
