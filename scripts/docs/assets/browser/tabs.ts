/** Samples: a tab for each language, the same on all pages. */
import { all, make } from "./dom.ts";
import { recall, remember } from "./storage.ts";

const key = "language";
const root = document.documentElement;

interface Tab {
  language: string;
  button: HTMLButtonElement;
  panel: HTMLElement;
}

const groups: Tab[][] = [];

/** Tells the style sheet which language to show, before there are tabs: nothing moves when they come. */
export function applyLanguage(): void {
  root.dataset.language = recall(key) ?? "curl";
}

export function startTabs(): void {
  for (const sample of all(".sample")) {
    const panels = all(":scope > .snippet[data-language]", sample);
    if (panels.length < 2) continue;
    const tabs = panels.map((panel, index) => makeTab(panel, `tab-${groups.length}-${index}`));
    panels[0]?.before(make("div", { role: "tablist", class: "tabs", "aria-label": "Language" }, ...buttonsOf(tabs)));
    sample.classList.add("tabbed");
    groups.push(tabs);
    for (const tab of tabs) {
      tab.button.addEventListener("click", () => choose(tab));
      tab.button.addEventListener("keydown", (event) => moveBy(event, tab, tabs));
    }
  }
  show(root.dataset.language ?? "");
}

function makeTab(panel: HTMLElement, id: string): Tab {
  const { language = "" } = panel.dataset;
  const words = panel.querySelector("figcaption")?.textContent ?? language;
  const button = make("button", { type: "button", role: "tab", id, "aria-controls": `${id}-panel` }, words);
  panel.id = `${id}-panel`;
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", id);
  return { language, button, panel };
}

function buttonsOf(tabs: readonly Tab[]): HTMLButtonElement[] {
  return tabs.map(({ button }) => button);
}

/** Shows a language in all samples that have it, without moving the tab that was used. */
function choose({ language, button }: Tab): void {
  const before = button.getBoundingClientRect().top;
  remember(key, language);
  root.dataset.language = language;
  show(language);
  scrollBy({ top: button.getBoundingClientRect().top - before, behavior: "instant" });
}

function show(language: string): void {
  for (const tabs of groups) {
    const shown = tabs.find((tab) => tab.language === language) ?? tabs[0];
    for (const tab of tabs) {
      tab.panel.hidden = tab !== shown;
      tab.button.setAttribute("aria-selected", String(tab === shown));
      tab.button.tabIndex = tab === shown ? 0 : -1;
    }
  }
}

function moveBy(event: KeyboardEvent, tab: Tab, tabs: readonly Tab[]): void {
  const index = tabs.indexOf(tab);
  const targets: Record<string, number> = {
    ArrowRight: (index + 1) % tabs.length,
    ArrowLeft: (index - 1 + tabs.length) % tabs.length,
    Home: 0,
    End: tabs.length - 1,
  };
  const target = tabs[targets[event.key] ?? -1];
  if (target === undefined) return;
  event.preventDefault();
  target.button.focus();
  choose(target);
}
