/** Shows results while the reader types. The 404 page runs a search by itself. */
import { chosenValue } from "./choices.ts";
import { createElement, queryAll } from "./dom.ts";
import { maxResults, type SearchHit, type SearchResults, searchPages } from "./find.ts";
import { decodeAddress, loadIndex, siteUrl } from "./site-url.ts";

export function startSearch(): void {
  const [button] = queryAll(".search-button");
  if (button === undefined) return;
  let dialog: HTMLDialogElement | undefined;
  // An error is ignored here. If loading fails again when the reader types, the dialog shows the error.
  const preload = () => loadIndex().catch(() => {});
  const open = () => {
    dialog ??= makeDialog();
    preload();
    if (!dialog.open) dialog.showModal();
    dialog.querySelector("input")?.select();
  };
  button.addEventListener("click", open);
  for (const event of ["pointerenter", "focus"]) button.addEventListener(event, preload, { once: true });
  addEventListener("keydown", (event) => {
    const isSlashKey = event.key === "/" && !(event.target as HTMLElement).matches?.("input, select, textarea");
    if (!isSlashKey && !(event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    open();
  });
}

function makeDialog(): HTMLDialogElement {
  const field = createElement("input", {
    type: "search",
    "aria-label": "Search",
    placeholder: "Operation, field, P-code, guide …",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "go",
  });
  const closeButton = createElement("button", { type: "button", class: "search-close" }, "Close");
  const head = createElement("div", { class: "search-head" }, field, closeButton);
  const { status, list, show } = makeResults();
  const dialog = createElement("dialog", { class: "search", "aria-label": "Search" }, head, status, list);
  field.addEventListener("input", async () => {
    const query = field.value.trim();
    await show(query === "" ? undefined : find(query));
    dialog.scrollTop = 0;
  });
  closeButton.addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => moveFocus(event, field, list));
  dialog.addEventListener("click", (event) => {
    // A click on the backdrop has the dialog as its target. A link can lead to the same page, so a click on a link closes the dialog too.
    if (event.target === dialog || (event.target as HTMLElement).closest("a") !== null) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
}

function moveFocus(event: KeyboardEvent, field: HTMLInputElement, list: HTMLElement): void {
  const focusableElements: HTMLElement[] = [field, ...queryAll("a", list)];
  const index = focusableElements.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const isEnterInField = event.key === "Enter" && index === 0;
  if (index < 0 || (step === undefined && !isEnterInField)) return;
  event.preventDefault();
  if (isEnterInField) focusableElements[1]?.click();
  else focusableElements[(index + (step ?? 0) + focusableElements.length) % focusableElements.length]?.focus();
}

export async function searchWordsOfAddress(): Promise<void> {
  const [page] = queryAll(".page-not-found");
  if (page === undefined) return;
  const base = siteUrl();
  const words = wordsOfPath(location.href.startsWith(base) ? location.href.slice(base.length) : location.pathname);
  if (words.length === 0) return;
  const { status, list, show } = makeResults();
  page.append(createElement("section", {}, createElement("h2", {}, `Pages about “${words.join(" ")}”`), status, list));
  await show(find(words.join(" ")));
}

function wordsOfPath(path: string): string[] {
  const parts = decodeAddress(path.replace(/[?#].*$/, "")).split("/");
  const name = parts.filter(Boolean).at(-1) ?? "";
  const words = name.replace(/\.\w+$/, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !/^(index|404)$/.test(word));
}

async function find(query: string): Promise<SearchResults> {
  return searchPages(await loadIndex(), query, chosenValue("edition"));
}

const suggestions: SearchHit[] = [
  ["operations/index.html", "All operations", "Reference", "What the service can do, by area."],
  ["guides/index.html", "All guides", "Guide", "How to do what partners do."],
  ["errors/index.html", "All P-codes", "Reference", "What an error means, and what to do."],
].map(([path = "", title = "", kind = "", description = ""]) => ({
  path,
  title,
  kind,
  description,
  edition: "latest",
}));

/** `show` ignores results that arrive after a newer query. */
function makeResults() {
  const status = createElement("p", { role: "status", class: "search-status" });
  const list = createElement("ol", { class: "results" });
  let latestPromise: unknown;
  const show = async (resultsPromise: ReturnType<typeof find> | undefined) => {
    latestPromise = resultsPromise;
    const results = await resultsPromise?.catch(() => "failed" as const);
    if (latestPromise !== resultsPromise) return;
    status.textContent = describeResults(results);
    const hits = typeof results === "object" ? results.hits : [];
    const isEmpty = typeof results === "object" && hits.length === 0;
    list.replaceChildren(...(isEmpty ? suggestions : hits).map(resultItem));
  };
  return { status, list, show };
}

function describeResults(results: SearchResults | "failed" | undefined): string {
  if (results === undefined) return "";
  if (results !== "failed") {
    const { hits, isApproximate, guesses, note = "" } = results;
    if (hits.length === 0) return "Nothing found. Three ways on:";
    const count = hits.length === maxResults ? `The first ${maxResults}` : hits.length;
    const guessText = guesses.map(([typedWord, word]) => `No page has “${typedWord}”; shown is “${word}”.`).join(" ");
    const nearText = isApproximate ? "Nothing found with all of these words. The nearest:" : "";
    return `${note} ${guessText} ${nearText} ${count} ${hits.length === 1 ? "page" : "pages"}.`
      .replace(/ +/g, " ")
      .trim();
  }
  return location.protocol === "file:"
    ? "The search needs a web server: open this site through npm start, or any other server."
    : "The index of the search cannot be loaded from this server.";
}

function resultItem({ path, title, kind, edition, part, description }: SearchHit): HTMLLIElement {
  const span = (name: string, text: string) => createElement("span", { class: `result-${name}` }, text);
  const heading = span("title", title);
  if (part !== undefined) heading.append(span("part", part));
  if (edition === "test" && chosenValue("edition") !== "test") heading.append(span("edition", "edition test"));
  return createElement(
    "li",
    {},
    createElement("a", { href: siteUrl() + path }, heading, span("kind", kind), span("excerpt", description)),
  );
}
