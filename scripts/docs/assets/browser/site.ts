/** What a page does in the browser. It stands in the head, so that theme and edition are there before anything is painted. */
import { startAnchors } from "./anchors.ts";
import { startContents } from "./contents.ts";
import { startCopying } from "./copy.ts";
import { applyEdition, startEditions } from "./editions.ts";
import { startExamples } from "./examples.ts";
import { startMenu } from "./menu.ts";
import { startPrinting } from "./print.ts";
import { startScrollers } from "./scrollers.ts";
import { startSearch } from "./search/dialog.ts";
import { searchAddress } from "./search/not-found.ts";
import { applyLanguage, startTabs } from "./tabs.ts";
import { applyTheme, startTheme } from "./theme.ts";

document.documentElement.classList.add("js");
applyTheme();
applyEdition();
applyLanguage();

document.addEventListener("DOMContentLoaded", () => {
  startTheme();
  startSearch();
  startTabs();
  startExamples();
  startCopying();
  startScrollers();
  startContents();
  startMenu();
  startEditions();
  startAnchors();
  startPrinting();
  searchAddress();
});
