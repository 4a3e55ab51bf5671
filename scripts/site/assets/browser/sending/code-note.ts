import { createElement } from "../dom.ts";
import { loadIndex, siteUrl } from "../site-url.ts";

/**
 * Links to the page of the P-code, or says that the contract does not list the P-code.
 *
 * @param body the body of the response.
 * @returns an empty array if the body has no P-code, or the search index cannot be loaded.
 */
export async function codeNote(body: unknown): Promise<HTMLElement[]> {
  const { errorCode: code } = Object(body) as { errorCode?: unknown };
  if (typeof code !== "string") return [];
  const index = await loadIndex().catch(() => undefined);
  if (index === undefined) return [];
  const path = `errors/${code}.html`;
  const page = index.pages.find((candidate) => candidate.path === path);
  if (page === undefined) return [createElement("p", { class: "note" }, `The contract does not list ${code}.`)];
  const link = createElement("a", { href: siteUrl() + path }, page.title);
  return [createElement("p", { class: "note" }, link, ". Its page says what to do, and whether to repeat the call.")];
}
