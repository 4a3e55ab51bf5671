/** The reader's choices apply to all pages: theme, edition, and language of samples. */
import { languageNames } from "../../text/language-names.ts";
import { announce, createElement, queryAll } from "./dom.ts";

const { dataset } = document.documentElement;

const choices = {
  theme: { values: ["system", "light", "dark"], attribute: "theme" },
  edition: { values: ["latest", "test"], attribute: "editionShown" },
  language: { values: Object.keys(languageNames), attribute: "language" },
};

type Choice = keyof typeof choices;

const languageParameter = "lang";

/** Must run before the first paint, so that the page does not flicker. */
export function applyChoices(): void {
  const requestedLanguage = new URLSearchParams(location.search).get(languageParameter) ?? "";
  if (Object.hasOwn(languageNames, requestedLanguage)) storeValue("language", requestedLanguage);
  for (const [name, { values, attribute }] of Object.entries(choices)) {
    dataset[attribute] = values.find((value) => value === storedValue(name)) ?? values[0];
  }
}

export function chosenValue(name: Choice): string {
  return dataset[choices[name].attribute] ?? "";
}

export function choose(name: Choice, value: string): void {
  dataset[choices[name].attribute] = value;
  storeValue(name, value);
}

const valuesOfThisPage: Record<string, string> = {};

export function storedValue(name: string): string {
  try {
    return localStorage.getItem(`reference-${name}`) ?? "";
  } catch {
    return valuesOfThisPage[name] ?? "";
  }
}

export function storeValue(name: string, value: string): void {
  valuesOfThisPage[name] = value;
  try {
    localStorage.setItem(`reference-${name}`, value);
  } catch {
    // The browser forbids storage, so the value applies to this page only.
  }
}

const changeEvent = "personal";

/** Changes of the language, of the reader's address or key, or of a sample's call. */
export function onChange(listener: () => void): void {
  addEventListener(changeEvent, listener);
}

export function reportChange(): void {
  dispatchEvent(new Event(changeEvent));
}

export function startChoices(): void {
  const [theme] = queryAll(".theme");
  const editions = queryAll<HTMLButtonElement>(".editions button");
  const showChoices = () => {
    if (theme) theme.ariaLabel = theme.title = `Theme: ${chosenValue("theme")}`;
    for (const button of editions) button.ariaPressed = String(button.value === chosenValue("edition"));
  };
  theme?.addEventListener("click", () => {
    const { values } = choices.theme;
    choose("theme", values[(values.indexOf(chosenValue("theme")) + 1) % values.length] as string);
    showChoices();
    announce(theme.title);
  });
  for (const button of editions) {
    button.addEventListener("click", () => {
      choose("edition", button.value);
      showChoices();
      announce(`Edition: ${button.value}`);
    });
  }
  showChoices();
  startLanguage();
}

function startLanguage(): void {
  const [select] = queryAll<HTMLSelectElement>(".languages select");
  const options = Object.entries(languageNames).map(([value, words]) => createElement("option", { value }, words));
  const markCurrentLinks = () => {
    for (const languageLink of queryAll("a[data-language]")) {
      languageLink.ariaCurrent = languageLink.dataset.language?.split(" ").includes(chosenValue("language"))
        ? "true"
        : null;
    }
  };
  select?.append(...options);
  if (select) select.value = chosenValue("language");
  select?.addEventListener("change", () => {
    choose("language", select.value);
    // A copied link then also opens in this language. Browsers do not let a page from a disk change its address.
    const url = new URL(location.href);
    url.searchParams.set(languageParameter, select.value);
    if (url.protocol !== "file:") history.replaceState(history.state, "", url);
    markCurrentLinks();
    reportChange();
  });
  markCurrentLinks();
}
