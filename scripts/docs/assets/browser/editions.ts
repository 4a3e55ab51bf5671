/** The edition that menus, lists and the search show. Every page can be read in either setting. */
import { all, announce } from "./dom.ts";
import { recall, remember } from "./storage.ts";

const key = "edition";
const root = document.documentElement;

/** The script runs before anything is painted, so that nothing is seen that is hidden then. */
export function applyEdition(): void {
  root.dataset.editionShown = recall(key) === "test" ? "test" : "latest";
}

export function startEditions(): void {
  const buttons = all<HTMLButtonElement>(".editions button");
  const mark = () => {
    for (const button of buttons) button.ariaPressed = String(button.value === root.dataset.editionShown);
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      remember(key, button.value);
      root.dataset.editionShown = button.value;
      mark();
      announce(`Edition: ${button.value}`);
    });
  }
  mark();
}
