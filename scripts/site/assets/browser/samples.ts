import { localSiteUrl, mockAddresses, sampleKey } from "../../samples/addresses.ts";
import type { PageCall } from "../../samples/page-call.ts";
import type { snippetLanguages } from "../../samples/snippets.ts";
import { choose, chosen, languageNames, storedValue, storeValue } from "./choices.ts";
import { all, createElement } from "./dom.ts";
import { siteUrl } from "./find.ts";
import { sender } from "./send.ts";

/** The values in samples that the reader can replace, by stored name. */
const replaceable: Record<string, string> = { ...mockAddresses, key: sampleKey };

function personal(text: string, isForMock = false): string {
  const own = isForMock ? [] : Object.entries(replaceable).map(([name, value]) => [value, storedValue(name) || value]);
  if (location.protocol !== "file:") own.push([localSiteUrl, siteUrl()]);
  return own.reduce((changed, [from = "", to = ""]) => changed.replaceAll(from, to), text);
}

const callOf = ({ dataset }: HTMLElement): PageCall => JSON.parse(personal(dataset.call ?? "{}"));

export function startPersonalTexts(): void {
  const texts: [Text, string][] = [];
  // Code that calls the control interface works with the mock only.
  const isForMock = all("pre > code").some(({ textContent }) => textContent.includes("/__mock/"));
  for (const code of all("code")) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
      if ([...Object.values(replaceable), localSiteUrl].some((value) => node?.data.includes(value))) {
        texts.push([node, node.data]);
      }
    }
  }
  const show = () => {
    for (const [node, text] of texts) node.data = personal(text, isForMock);
  };
  addEventListener("personal", show);
  show();
  for (const sample of all(".samples > [data-call]:not(.sample ~ .sample)")) sample.before(settings());
}

function settings(): HTMLElement {
  const used = Object.entries(replaceable).filter(([name, value]) => {
    return name === "key" || all("[data-call]").some(({ dataset }) => dataset.call?.includes(value));
  });
  const fields = used.map(([name, value]) => {
    const field = createElement("input", {
      placeholder: value,
      value: storedValue(name),
      spellcheck: "false",
      autocomplete: "off",
    });
    // Excludes characters that could end a string literal in a sample's language.
    field.pattern = name === "key" ? "[\\w.+\\/=:~\\-]+" : "https?:\\/\\/[\\w.:\\[\\]\\/~\\-]+";
    field.addEventListener("input", () => {
      const isAddress = name === "key" || field.value === "" || URL.canParse(field.value);
      if (field.validity.valid && isAddress) storeValue(name, field.value.replace(/\/+$/, ""));
      dispatchEvent(new Event("personal"));
    });
    return createElement("label", {}, name === "key" ? "API key" : "Address", field);
  });
  const note = createElement(
    "p",
    { class: "note" },
    "They stay in this browser until you empty the fields. A sample is sent to this address only.",
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
  for (const sample of all(".sample[data-call]")) {
    const list = createElement(
      "select",
      { "aria-label": "Language" },
      ...Object.entries(languageNames).map(([value, words]) => createElement("option", { value }, words)),
    );
    list.addEventListener("change", () => {
      const before = list.getBoundingClientRect().top;
      choose("language", list.value);
      dispatchEvent(new Event("personal"));
      scrollBy(0, list.getBoundingClientRect().top - before);
    });
    const code = createElement("code");
    const words = createElement("figcaption");
    const made = createElement("figure", { class: "code" }, words, createElement("pre", {}, code));
    const { button, result } = sender(() => callOf(sample));
    const first = sample.querySelector(".snippet");
    first?.before(createElement("div", { class: "sample-tools" }, list, button));
    all(".snippet", sample)
      .at(-1)
      ?.after(createElement("div", { class: "snippet made" }, made), result);
    const show = async () => {
      const language = chosen("language");
      list.value = language;
      words.textContent = languageNames[language] ?? "";
      if (all(`.snippet[data-language="${language}"]`, sample).length > 0) return;
      const text = await generated(language, callOf(sample)).catch(() => "The languages cannot be loaded.");
      const parts = text.split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/);
      code.replaceChildren(
        ...parts.map((part, index) => (index % 2 ? createElement("span", { class: "hljs-string" }, part) : part)),
      );
    };
    addEventListener("personal", show);
    show();
  }
}

let loading: Promise<unknown> | undefined;

async function generated(language: string, call: PageCall): Promise<string> {
  loading ??= new Promise((resolve, reject) => {
    const script = createElement("script", {
      src: new URL(document.documentElement.dataset.snippets ?? "", location.href).href,
    });
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
    document.head.append(script);
  });
  await loading;
  return (globalThis as { snippetLanguages?: typeof snippetLanguages }).snippetLanguages?.[language]?.(call) ?? "";
}

export function startExamples(): void {
  for (const column of all(".samples:has(> .sample ~ .sample)")) {
    const samples = all(":scope > .sample", column);
    const options = samples.map((sample) =>
      createElement("option", {}, sample.querySelector("h3")?.textContent ?? sample.id),
    );
    const list = createElement("select", { "aria-label": "Example" }, ...options);
    const show = (index: number) => {
      for (const [position, sample] of samples.entries()) sample.hidden = position !== index;
      list.selectedIndex = index;
    };
    samples[0]?.before(list);
    list.addEventListener("change", () => show(list.selectedIndex));
    column.dataset.chosen = "";
    column.addEventListener("reveal", ({ target }) => {
      const index = samples.findIndex((sample) => sample.contains(target as Node));
      if (index >= 0) show(index);
    });
    show(0);
  }
}
