/** Buttons that put code, paths and names on the clipboard. */
import { all, announce, make } from "./dom.ts";

/** Milliseconds for which a button says that it has copied. */
const confirmed = 1600;

export function startCopying(): void {
  // A browser has no clipboard for pages of an insecure host.
  if (navigator.clipboard === undefined) return;
  for (const figure of all(".code")) {
    const code = figure.querySelector("code");
    if (code !== null) figure.append(copyButton("Copy", () => code.textContent ?? ""));
  }
  for (const element of all("[data-copy]")) {
    const text = element.textContent ?? "";
    const button = copyButton("", () => text);
    button.classList.add("copy-inline");
    button.setAttribute("aria-label", `Copy ${text}`);
    button.title = "Copy";
    element.after(button);
  }
}

function copyButton(words: string, textOf: () => string): HTMLButtonElement {
  const button = make("button", { type: "button", class: "copy" }, words);
  let timer = 0;
  const say = (result: "Copied" | "Not copied") => {
    button.dataset.done = result;
    if (words !== "") button.textContent = result;
    announce(result);
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      delete button.dataset.done;
      button.textContent = words;
    }, confirmed);
  };
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(textOf()).then(
      () => say("Copied"),
      () => say("Not copied"),
    );
  });
  return button;
}
