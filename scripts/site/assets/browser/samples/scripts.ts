/** These scripts are loaded when they are first needed. */
import type { snippetLanguages } from "../../../samples/snippets.ts";
import { createElement } from "../dom.ts";
import type { Sending } from "../sending.ts";

const scriptPromises = new Map<string, Promise<unknown>>();

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

export async function loadSending(): Promise<Sending> {
  await load("sending");
  return (globalThis as unknown as { sending: Sending }).sending;
}

export async function loadSnippetLanguages(): Promise<typeof snippetLanguages> {
  await load("snippets");
  return (globalThis as unknown as { snippetLanguages: typeof snippetLanguages }).snippetLanguages;
}
