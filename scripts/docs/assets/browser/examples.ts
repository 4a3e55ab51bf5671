/** A choice of the example, where the column of samples has several. */
import { all, make } from "./dom.ts";

export function startExamples(): void {
  for (const column of all(".samples")) {
    const samples = all(":scope > .sample", column);
    if (samples.length < 2) continue;
    const list = make(
      "select",
      { "aria-label": "Example" },
      ...samples.map((sample, index) => optionOf(sample, index)),
    );
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

function optionOf(sample: HTMLElement, index: number): HTMLOptionElement {
  return make("option", {}, sample.querySelector("h3")?.textContent ?? `Example ${index + 1}`);
}
