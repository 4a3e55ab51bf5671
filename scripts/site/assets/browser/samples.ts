import { localSiteUrl, mockAddresses, sampleKey } from "../../samples/addresses.ts";
import type { EditableField, PageCall } from "../../samples/page-call.ts";
import type { snippetLanguages as languages } from "../../samples/snippets.ts";
import { languageNames } from "../../text/language-names.ts";
import { chosenValue, storedValue, storeValue } from "./choices.ts";
import { createElement, queryAll } from "./dom.ts";
import type { Sending } from "./sending.ts";
import { siteUrl } from "./site-url.ts";

/** The values in samples that the reader can replace, by the name under which the reader's value is stored. */
const placeholders: Record<string, string> = { ...mockAddresses, key: sampleKey };

/** The address of the mock that `npm start` wrote into the page; undefined for other names, and on pages from another server. */
const servedAddress = (name: string): string | undefined => {
  const { baseUrl, depositBaseUrl } = document.documentElement.dataset;
  return name === "base_url" ? baseUrl : name === "deposit_base_url" ? depositBaseUrl : undefined;
};

function withReaderValues(text: string, isForMock = false): string {
  const values = Object.entries(placeholders).map(([name, value]) => {
    return [value, (!isForMock && storedValue(name)) || servedAddress(name) || value];
  });
  if (location.protocol !== "file:") values.push([localSiteUrl, siteUrl()]);
  const replacements = Object.fromEntries(values);
  // Replaces all placeholders in one pass, because the new value of one can equal another placeholder.
  const patterns = Object.keys(replacements).map((value) => value.replaceAll(".", "\\."));
  return text.replace(new RegExp(patterns.join("|"), "g"), (value) => replacements[value]);
}

/** The sample's call as the reader edited it, with the reader's address and key. */
const callOf = ({ dataset }: HTMLElement): PageCall =>
  JSON.parse(withReaderValues(dataset.edited ?? dataset.call ?? "{}"));

export function startPersonalTexts(): void {
  const texts: [Text, string][] = [];
  // Code that calls the control interface works with the mock only.
  const isForMock = queryAll("pre > code").some(({ textContent }) => textContent.includes("/__mock/"));
  for (const code of queryAll("code")) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      if ([...Object.values(placeholders), localSiteUrl].some((value) => node?.data.includes(value))) {
        texts.push([node, node.data]);
      }
    }
  }
  const show = () => {
    for (const [node, text] of texts) node.data = withReaderValues(text, isForMock);
  };
  addEventListener("personal", show);
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
      dispatchEvent(new Event("personal"));
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

export function startLanguages(): void {
  for (const sample of queryAll(".sample[data-call]")) {
    const code = createElement("code");
    const caption = createElement("figcaption");
    const figure = createElement("figure", { class: "code" }, caption, createElement("pre", {}, code));
    const firstSnippet = sample.querySelector(".snippet");
    const { button, statusElements } = sendButton(sample);
    firstSnippet?.before(
      makeEditor(sample),
      createElement("div", { class: "sample-tools" }, button),
      ...statusElements,
    );
    queryAll(".snippet", sample)
      .at(-1)
      ?.after(createElement("div", { class: "snippet made" }, figure));
    const show = async () => {
      const language = chosenValue("language");
      caption.textContent = languageNames[language] ?? "";
      const isOnPage = queryAll(`.snippet[data-language="${language}"]`, sample).length > 0;
      if (isOnPage && sample.dataset.edited === undefined) return;
      const text = await generateCode(language, sample).catch(() => "The languages cannot be loaded.");
      const parts = text.split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/);
      code.replaceChildren(
        ...parts.map((part, index) => (index % 2 ? createElement("span", { class: "hljs-string" }, part) : part)),
      );
    };
    addEventListener("personal", show);
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
    addEventListener("personal", show);
    group.append(note);
    show();
  }
}

function sendButton(sample: HTMLElement): { button: HTMLElement; statusElements: HTMLElement[] } {
  const button = createElement("button", { type: "button", class: "send primary" }, "Send it");
  const status = createElement("p", { class: "sent-status", role: "status" });
  const result = createElement("div", { class: "sent" });
  button.addEventListener("click", async () => {
    // A disabled button would lose the focus.
    if (button.ariaDisabled === "true") return;
    button.ariaDisabled = "true";
    try {
      const reason = sample.dataset.invalid ?? queryAll("[data-unused]")[0]?.dataset.unused;
      if (reason !== undefined) {
        status.textContent = `Not sent: ${reason}.`;
        result.replaceChildren();
      } else await (await loadSending()).sendNow(callOf(sample), status, result);
    } catch {
      status.textContent = "The script that sends calls cannot be loaded.";
    }
    button.ariaDisabled = null;
  });
  return { button, statusElements: [status, result] };
}

function makeEditor(sample: HTMLElement): HTMLElement {
  const details = createElement(
    "details",
    { class: "settings editor" },
    createElement("summary", {}, "Edit the request"),
  );
  const edit = async () => {
    const { dataset } = sample;
    const call: PageCall = JSON.parse(dataset.call ?? "{}");
    const fields: EditableField[] = JSON.parse(sample.closest<HTMLElement>(".samples")?.dataset.fields ?? "[]");
    const change = (editedCall: PageCall | string) => {
      delete dataset.invalid;
      if (typeof editedCall === "string") dataset.invalid = editedCall;
      else dataset.edited = JSON.stringify(editedCall);
      dispatchEvent(new Event("personal"));
    };
    const copyFunctions = ["curl", "powershell"].map((name) => [languageNames[name], () => generateCode(name, sample)]);
    details.append(...(await loadSending()).edit(call, fields, change, Object.fromEntries(copyFunctions)));
  };
  details.addEventListener("toggle", () => edit().catch(() => details.append("The editor cannot be loaded.")), {
    once: true,
  });
  return details;
}

const scriptPromises = new Map<string, Promise<unknown>>();

/** Loads a script of the site once. */
function load(name: "snippets" | "sending"): Promise<unknown> {
  const promise =
    scriptPromises.get(name) ??
    new Promise((resolve, reject) => {
      const { [name]: src = "" } = document.documentElement.dataset;
      const script = createElement("script", { src: new URL(src, location.href).href });
      script.addEventListener("load", resolve);
      script.addEventListener("error", reject);
      document.head.append(script);
    });
  scriptPromises.set(name, promise);
  return promise;
}

async function loadSending(): Promise<Sending> {
  await load("sending");
  return (globalThis as unknown as { sending: Sending }).sending;
}

/** The code of the sample's call, as edited, in a language. */
async function generateCode(language: string, sample: HTMLElement): Promise<string> {
  await load("snippets");
  const { snippetLanguages } = globalThis as { snippetLanguages?: typeof languages };
  const codeOnPage = sample.querySelector('.snippet[data-language="typescript"] code')?.textContent ?? "";
  return snippetLanguages?.[language]?.(callOf(sample), codeOnPage) ?? "";
}

export function startExamples(): void {
  for (const column of queryAll(".samples:has(> .sample ~ .sample)")) {
    const samples = queryAll(":scope > .sample", column);
    const options = samples.map((sample) =>
      createElement("option", {}, sample.querySelector("h3")?.textContent ?? sample.id),
    );
    const select = createElement("select", { "aria-label": "Example" }, ...options);
    const show = (index: number) => {
      for (const [position, sample] of samples.entries()) sample.hidden = position !== index;
      select.selectedIndex = index;
    };
    samples[0]?.before(select);
    select.addEventListener("change", () => show(select.selectedIndex));
    column.dataset.chosen = "";
    column.addEventListener("reveal", ({ target }) => {
      const index = samples.findIndex((sample) => sample.contains(target as Node));
      if (index >= 0) show(index);
    });
    show(0);
  }
}
