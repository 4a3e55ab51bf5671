/** What the reader chooses for all pages: the colours, the edition that menus and lists show, the language of the samples. */
import { all, announce } from "./dom.ts";

/** The languages of samples, by the name under which the choice is kept. The first two stand in the pages. */
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

/** What can be chosen, the first one without a choice, and the attribute of the page that tells the style sheet. */
const choices = {
  theme: { values: ["system", "light", "dark"], attribute: "theme" },
  edition: { values: ["latest", "test"], attribute: "editionShown" },
  language: { values: Object.keys(languageNames), attribute: "language" },
};

type Choice = keyof typeof choices;

/** Shows what was chosen before. The script runs before anything is painted, so that nothing changes then. */
export function applyChoices(): void {
  for (const [name, { values, attribute }] of Object.entries(choices)) {
    dataset[attribute] = values.find((value) => value === kept(name)) ?? values[0];
  }
}

export function chosen(name: Choice): string {
  return dataset[choices[name].attribute] ?? "";
}

export function choose(name: Choice, value: string): void {
  dataset[choices[name].attribute] = value;
  keep(name, value);
}

/** What is used where a browser forbids storage. */
const ofThisPage: Record<string, string> = {};

/** What this browser keeps; empty where it keeps nothing. */
export function kept(name: string): string {
  try {
    return localStorage.getItem(`reference-${name}`) ?? "";
  } catch {
    return ofThisPage[name] ?? "";
  }
}

/** Keeps something in this browser. */
export function keep(name: string, value: string): void {
  ofThisPage[name] = value;
  try {
    localStorage.setItem(`reference-${name}`, value);
  } catch {
    // It then holds for this page.
  }
}

/** The button in the header that goes from one theme to the next, and those of the editions. */
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
