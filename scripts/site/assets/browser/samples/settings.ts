/** The settings "Address and key", and the texts of the page that contain these values. */
import { mockControlPath } from "../../../samples/addresses.ts";
import { onChange, reportChange, storedValue, storeValue } from "../choices.ts";
import { createElement, queryAll } from "../dom.ts";
import { hasPlaceholder, placeholders, withReaderValues } from "./reader-values.ts";

export function startPersonalTexts(): void {
  const texts: [Text, string][] = [];
  // The control interface exists only in the mock. A page with code that calls it therefore keeps the values of the mock.
  const isForMock = queryAll("pre > code").some(({ textContent }) => textContent.includes(`${mockControlPath}/`));
  for (const code of queryAll("code")) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      if (hasPlaceholder(node.data)) texts.push([node, node.data]);
    }
  }
  const show = () => {
    for (const [node, text] of texts) node.data = withReaderValues(text, isForMock);
  };
  onChange(show);
  show();
  for (const sample of queryAll(".samples > [data-call]:not(.sample ~ .sample)")) sample.before(makeSettings());
}

function makeSettings(): HTMLElement {
  const usedPlaceholders = Object.entries(placeholders).filter(([name, value]) => {
    return name === "key" || queryAll("[data-call]").some(({ dataset }) => dataset.call?.includes(value));
  });
  const fields = usedPlaceholders.map(([name, value]) => {
    const field = createElement("input", {
      placeholder: value,
      value: storedValue(name),
      spellcheck: "false",
      autocomplete: "off",
    });
    // Excludes characters that could end a string literal in a sample's language.
    field.pattern = name === "key" ? "[\\w.+\\/=:~\\-]+" : "https?:\\/\\/[\\w.:\\[\\]\\/~\\-]+";
    const problem = createElement("span", { class: "invalid", role: "alert" });
    const reason =
      name === "key"
        ? "the key has a character that is not used in keys"
        : "the address must begin with http:// or https://, and have no spaces";
    field.addEventListener("input", () => {
      const hasValidForm = name === "key" || field.value === "" || URL.canParse(field.value);
      const isValid = field.validity.valid && hasValidForm;
      if (isValid) storeValue(name, field.value.replace(/\/+$/, ""));
      // An invalid value is not stored. A call would use the stored value, which the reader does not see, so no call is sent.
      if (isValid) delete field.dataset.unused;
      else field.dataset.unused = reason;
      problem.textContent = isValid ? "" : `Not used: ${reason}.`;
      reportChange();
    });
    return createElement("label", {}, name === "key" ? "API key" : "Address", field, problem);
  });
  const note = createElement(
    "p",
    { class: "note" },
    "They stay in this browser until you empty the fields. A sample is sent to this address only, with the key. If the address is on this computer and says that it is a mock, asked without the key, it gets the key again with the question what the sample led to.",
  );
  return createElement(
    "details",
    { class: "settings" },
    createElement("summary", {}, "Address and key"),
    ...fields,
    note,
  );
}

/** Undefined if the reader's address and key can be used. */
export function problemOfSettings(): string | undefined {
  return queryAll("[data-unused]")[0]?.dataset.unused;
}
