/** What a page does in the browser. It stands in the head, so that theme and edition are there before anything is painted. */
import { applyChoices, startChoices } from "./choices.ts";
import { startAnchors, startContents, startCopying, startMenu, startScrollers } from "./page.ts";
import { startExamples, startTabs } from "./samples.ts";
import { searchAddress, startSearch } from "./search.ts";

document.documentElement.classList.add("js");
applyChoices();

document.addEventListener("DOMContentLoaded", () => {
  startChoices();
  startSearch();
  startTabs();
  startExamples();
  startCopying();
  startScrollers();
  startContents();
  startMenu();
  startAnchors();
  searchAddress();
});
