import { languageNames } from "../../../text/language-names.ts";
import { chosenValue, onChange } from "../choices.ts";
import { createElement, queryAll } from "../dom.ts";
import { generateCode, makeEditorPanel, makeSendButton } from "./request.ts";
import { Sample } from "./sample.ts";

export function startLanguages(): void {
  for (const element of queryAll(".sample[data-call]")) {
    const sample = new Sample(element);
    const code = createElement("code");
    const caption = createElement("figcaption");
    const figure = createElement("figure", { class: "code" }, caption, createElement("pre", {}, code));
    const firstSnippet = element.querySelector(".snippet");
    const { button, statusElements } = makeSendButton(sample);
    firstSnippet?.before(
      makeEditorPanel(sample),
      createElement("div", { class: "sample-tools" }, button),
      ...statusElements,
    );
    queryAll(".snippet", element)
      .at(-1)
      ?.after(createElement("div", { class: "snippet made" }, figure));
    const show = async () => {
      const language = chosenValue("language");
      caption.textContent = languageNames[language] ?? "";
      const isOnPage = queryAll(`.snippet[data-language="${language}"]`, element).length > 0;
      if (isOnPage && !sample.isEdited) return;
      const text = await generateCode(language, sample).catch(() => "The languages cannot be loaded.");
      const parts = text.split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/);
      code.replaceChildren(
        ...parts.map((part, index) => (index % 2 ? createElement("span", { class: "hljs-string" }, part) : part)),
      );
    };
    onChange(show);
    show();
  }
}

/** Where a guide has the same passage in several languages, shows only the passage in the chosen language, if it exists. */
export function startPassages(): void {
  for (const group of queryAll(".by-language")) {
    const passages = queryAll(":scope > [data-language]", group);
    const button = createElement("button", { type: "button", class: "send" }, "Show all languages");
    const note = createElement("p", { class: "note" }, button);
    let languageWithAllShown = "";
    const show = () => {
      const language = chosenValue("language");
      const isOneShown =
        languageWithAllShown !== language && passages.some(({ dataset }) => dataset.language === language);
      for (const passage of passages) passage.hidden = isOneShown && passage.dataset.language !== language;
      note.hidden = !isOneShown;
    };
    const showAll = () => {
      languageWithAllShown = chosenValue("language");
      show();
    };
    button.addEventListener("click", showAll);
    group.addEventListener("reveal", showAll);
    onChange(show);
    group.append(note);
    show();
  }
}
