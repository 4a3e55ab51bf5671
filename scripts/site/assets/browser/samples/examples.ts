import { createElement, queryAll } from "../dom.ts";

export function startExamples(): void {
  for (const column of queryAll(".samples:has(> .sample ~ .sample)")) {
    const samples = queryAll(":scope > .sample", column);
    const options = samples.map((sample) =>
      createElement("option", {}, sample.querySelector("h3")?.textContent ?? sample.id),
    );
    const select = createElement("select", { "aria-label": "Example" }, ...options);
    const show = (index: number) => {
      for (const [position, sample] of samples.entries()) sample.hidden = position !== index;
      select.selectedIndex = index;
    };
    samples[0]?.before(select);
    select.addEventListener("change", () => show(select.selectedIndex));
    column.dataset.chosen = "";
    column.addEventListener("reveal", ({ target }) => {
      const index = samples.findIndex((sample) => sample.contains(target as Node));
      if (index >= 0) show(index);
    });
    show(0);
  }
}
