/** The reader's choices, which apply to all pages: theme, edition, and language of samples. */
import { all, announce } from "./dom.ts";

/** By the value that the browser stores. The pages contain samples in the first two languages; the browser generates the others. */
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
  powershell: "PowerShell 7",
};

const { dataset } = document.documentElement;

const choices = {
  theme: { values: ["system", "light", "dark"], attribute: "theme" },
  edition: { values: ["latest", "test"], attribute: "editionShown" },
  language: { values: Object.keys(languageNames), attribute: "language" },
};

type Choice = keyof typeof choices;

/** Runs before the first paint, so that the page does not flicker. */
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

const ofThisPage: Record<string, string> = {};

export function storedValue(name: string): string {
  try {
    return localStorage.getItem(`reference-${name}`) ?? "";
  } catch {
    return ofThisPage[name] ?? "";
  }
}

export function storeValue(name: string, value: string): void {
  ofThisPage[name] = value;
  try {
    localStorage.setItem(`reference-${name}`, value);
  } catch {
    // The browser forbids storage, so the value applies to this page only.
  }
}

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
