/** The reader's choices for all pages: theme, edition of menus and lists, language of samples. */
import { all, announce } from "./dom.ts";

/** The languages of samples, by stored name. The first two are part of the pages. */
export const languageNames: Record<string, string> = {
  curl: "curl",
  typescript: "TypeScript client",
  javascript: "JavaScript, fetch",
  python: "Python, requests",
  php: "PHP, cURL",
  java: "Java, HttpClient",
  go: "Go, net/http",
  csharp: "C#, HttpClient",
  ruby: "Ruby, Net::HTTP",
};

const { dataset } = document.documentElement;

/** The choices (the first is the default), and the attribute of the page for the style sheet. */
const choices = {
  theme: { values: ["system", "light", "dark"], attribute: "theme" },
  edition: { values: ["latest", "test"], attribute: "editionShown" },
  language: { values: Object.keys(languageNames), attribute: "language" },
};

type Choice = keyof typeof choices;

/** Applies stored choices. Runs before the first paint, to avoid flicker. */
export function applyChoices(): void {
  for (const [name, { values, attribute }] of Object.entries(choices)) {
    dataset[attribute] = values.find((value) => value === storedValue(name)) ?? values[0];
  }
}

export function chosen(name: Choice): string {
  return dataset[choices[name].attribute] ?? "";
}

export function choose(name: Choice, value: string): void {
  dataset[choices[name].attribute] = value;
  storeValue(name, value);
}

/** Fallback where a browser forbids storage. */
const ofThisPage: Record<string, string> = {};

/** A value stored in this browser; empty where there is none. */
export function storedValue(name: string): string {
  try {
    return localStorage.getItem(`reference-${name}`) ?? "";
  } catch {
    return ofThisPage[name] ?? "";
  }
}

/** Stores a value in this browser. */
export function storeValue(name: string, value: string): void {
  ofThisPage[name] = value;
  try {
    localStorage.setItem(`reference-${name}`, value);
  } catch {
    // The value then applies to this page only.
  }
}

/** The buttons in the header for the theme and the edition. */
export function startChoices(): void {
  const [theme] = all(".theme");
  const editions = all<HTMLButtonElement>(".editions button");
  const mark = () => {
    if (theme) theme.ariaLabel = theme.title = `Theme: ${chosen("theme")}`;
    for (const button of editions) button.ariaPressed = String(button.value === chosen("edition"));
  };
  theme?.addEventListener("click", () => {
    const { values } = choices.theme;
    choose("theme", values[(values.indexOf(chosen("theme")) + 1) % values.length] as string);
    mark();
    announce(theme.title);
  });
  for (const button of editions) {
    button.addEventListener("click", () => {
      choose("edition", button.value);
      mark();
      announce(`Edition: ${button.value}`);
    });
  }
  mark();
}
