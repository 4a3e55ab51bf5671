/** Samples: a tab for each language, the same on all pages, and a choice of the example. */
import { choose, chosen } from "./choices.ts";
import { all, make } from "./dom.ts";

/** Every sample has every language. The style sheet shows the chosen one only; the tabs say which it is. */
export function startTabs(): void {
  for (const [number, sample] of all(".sample:has(> .snippet + .snippet)").entries()) {
    const tabs = all(":scope > .snippet", sample).map((panel, index) => {
      const { language = "" } = panel.dataset;
      const [id, panelId] = [`tab-${number}-${index}`, `panel-${number}-${index}`];
      const words = panel.querySelector("figcaption")?.textContent ?? language;
      for (const [name, value] of Object.entries({ id: panelId, role: "tabpanel", "aria-labelledby": id })) {
        panel.setAttribute(name, value);
      }
      const tab = make("button", { type: "button", role: "tab", id, value: language, "aria-controls": panelId }, words);
      tab.addEventListener("click", () => select(tab));
      return tab;
    });
    const list = make("div", { role: "tablist", class: "tabs", "aria-label": "Language" }, ...tabs);
    list.addEventListener("keydown", (event) => moveBy(event, tabs));
    sample.querySelector(".snippet")?.before(list);
    sample.classList.add("tabbed");
  }
  mark();
}

function mark(): void {
  for (const tab of all<HTMLButtonElement>("[role=tab]")) {
    const isChosen = tab.value === chosen("language");
    tab.ariaSelected = String(isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
  }
}

/** Shows a language in all samples, without moving the tab that was used. */
function select(tab: HTMLButtonElement): void {
  const before = tab.getBoundingClientRect().top;
  choose("language", tab.value);
  mark();
  scrollBy(0, tab.getBoundingClientRect().top - before);
}

function moveBy(event: KeyboardEvent, tabs: readonly HTMLButtonElement[]): void {
  const index = tabs.indexOf(document.activeElement as HTMLButtonElement);
  const targets: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 };
  const target = tabs.at((targets[event.key] ?? 0) % tabs.length);
  if (!(event.key in targets) || target === undefined) return;
  event.preventDefault();
  target.focus();
  select(target);
}

/** A choice of the example, where the column of samples has several. */
export function startExamples(): void {
  for (const column of all(".samples:has(> .sample ~ .sample)")) {
    const samples = all(":scope > .sample", column);
    const options = samples.map((sample) => make("option", {}, sample.querySelector("h3")?.textContent ?? sample.id));
    const list = make("select", { "aria-label": "Example" }, ...options);
    const show = (index: number) => {
      for (const [position, sample] of samples.entries()) sample.hidden = position !== index;
      list.selectedIndex = index;
    };
    samples[0]?.before(list);
    list.addEventListener("change", () => show(list.selectedIndex));
    column.dataset.chosen = "";
    column.addEventListener("reveal", ({ target }) => {
      const index = samples.findIndex((sample) => sample.contains(target as Node));
      if (index >= 0) show(index);
    });
    show(0);
  }
}
