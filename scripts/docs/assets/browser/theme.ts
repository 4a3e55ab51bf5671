/** The colours: as the system has them, light, or dark. */
import { announce } from "./dom.ts";
import { recall, remember } from "./storage.ts";

const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const key = "theme";
const root = document.documentElement;

/** Shows the theme that was chosen before; the script runs before anything is painted. */
export function applyTheme(): void {
  show(chosenTheme());
}

/** Lets the button in the header go from one theme to the next. */
export function startTheme(): void {
  const button = document.querySelector<HTMLButtonElement>(".theme");
  if (button === null) return;
  name(button, chosenTheme());
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(chosenTheme()) + 1) % themes.length] as Theme;
    remember(key, next === "system" ? undefined : next);
    show(next);
    name(button, next);
    announce(`Theme: ${next}`);
  });
}

function chosenTheme(): Theme {
  const chosen = root.dataset.theme ?? recall(key);
  return themes.find((theme) => theme === chosen) ?? "system";
}

function show(theme: Theme): void {
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
}

function name(button: HTMLButtonElement, theme: Theme): void {
  button.title = `Theme: ${theme}`;
  button.setAttribute("aria-label", button.title);
}
