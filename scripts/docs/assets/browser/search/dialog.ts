/** The search: a dialog with a field, and what is found while one types. */
import { all, make } from "../dom.ts";
import { find } from "./find.ts";
import { loadIndex } from "./pagefind.ts";
import { countWords, failureWords, resultItem } from "./results.ts";

/** Opens the search with the button in the header, with "/" and with Ctrl+K or Command+K. */
export function startSearch(): void {
  const button = document.querySelector<HTMLButtonElement>(".search-button");
  if (button === null) return;
  let dialog: HTMLDialogElement | undefined;
  const open = () => {
    dialog ??= makeDialog();
    if (!dialog.open) dialog.showModal();
    dialog.querySelector("input")?.select();
  };
  button.addEventListener("click", open);
  for (const event of ["pointerenter", "focus"]) button.addEventListener(event, preload, { once: true });
  addEventListener("keydown", (event) => {
    const isSlash = event.key === "/" && !isTyping(event.target);
    if (!isSlash && !(event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    open();
  });
}

/** A failure is told when something is typed. */
function preload(): void {
  loadIndex().catch(() => {});
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, select, textarea");
}

function makeDialog(): HTMLDialogElement {
  const field = make("input", {
    type: "search",
    "aria-label": "Search",
    placeholder: "Operation, field, P-code, guide …",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    enterkeyhint: "go",
  });
  const close = make("button", { type: "button", class: "search-close" }, "Close");
  const status = make("p", { role: "status", class: "search-status" });
  const list = make("ol", { class: "results" });
  const dialog = make(
    "dialog",
    { class: "search", "aria-label": "Search" },
    make("div", { class: "search-head" }, field, close),
    status,
    list,
  );
  let asked = 0;
  const search = async () => {
    const words = field.value.trim();
    asked += 1;
    const number = asked;
    const answer = words === "" ? undefined : await find(words).catch(() => "failed" as const);
    if (number !== asked) return;
    status.textContent = answer === undefined ? "" : answer === "failed" ? failureWords() : countWords(answer.count);
    const hits = typeof answer === "object" ? answer.hits : [];
    list.replaceChildren(...hits.map(resultItem));
    dialog.scrollTop = 0;
  };
  field.addEventListener("input", search);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => moveBy(event, field, list));
  dialog.addEventListener("click", (event) => {
    // Outside of the dialog, or on a link, which may lead to another part of this page.
    if (event.target === dialog || (event.target as HTMLElement).closest("a") !== null) dialog.close();
  });
  document.body.append(dialog);
  preload();
  return dialog;
}

/** Arrow keys go from the field through the results; Enter in the field follows the first one. */
function moveBy(event: KeyboardEvent, field: HTMLInputElement, list: HTMLElement): void {
  const stops: HTMLElement[] = [field, ...all("a", list)];
  const index = stops.indexOf(document.activeElement as HTMLElement);
  if (event.key === "Enter" && index === 0) {
    event.preventDefault();
    stops[1]?.click();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || index < 0) return;
  event.preventDefault();
  stops[(index + step + stops.length) % stops.length]?.focus();
}
