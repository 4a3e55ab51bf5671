/** The head of all pages loads this script, so that theme and edition are set before the first paint. */
import { applyChoices, startChoices } from "./choices.ts";
import { startAnchors, startContents, startCopying, startMenu, startScrollers, startTicks } from "./page.ts";
import { startExamples } from "./samples/examples.ts";
import { startLanguages, startPassages } from "./samples/languages.ts";
import { startPersonalTexts } from "./samples/settings.ts";
import { searchWordsOfAddress, startSearch } from "./search.ts";

document.documentElement.classList.add("js");
applyChoices();

document.addEventListener("DOMContentLoaded", () => {
  startChoices();
  startSearch();
  startPersonalTexts();
  startLanguages();
  startPassages();
  startExamples();
  startCopying();
  startScrollers();
  startContents();
  startMenu();
  startAnchors();
  startTicks();
  searchWordsOfAddress();
});
