import { languageNames } from "../../../text/language-names.ts";
import { createElement } from "../dom.ts";
import type { Sample } from "./sample.ts";
import { loadSending, loadSnippetLanguages } from "./scripts.ts";
import { problemOfSettings } from "./settings.ts";

export function makeSendButton(sample: Sample): { button: HTMLElement; statusElements: HTMLElement[] } {
  const button = createElement("button", { type: "button", class: "send primary" }, "Send it");
  const status = createElement("p", { class: "sent-status", role: "status" });
  const result = createElement("div", { class: "sent" });
  const send = async () => {
    const reason = sample.problem ?? problemOfSettings();
    if (reason !== undefined) {
      status.textContent = `Not sent: ${reason}.`;
      result.replaceChildren();
      return;
    }
    const sending = await loadSending().catch(() => undefined);
    if (sending === undefined) status.textContent = "The script that sends calls cannot be loaded.";
    else await sending.sendNow(sample.call, status, result);
  };
  button.addEventListener("click", async () => {
    // While a call is sent, the button is not disabled, because a disabled button would lose the focus.
    if (button.ariaDisabled === "true") return;
    button.ariaDisabled = "true";
    await send().catch((error: Error) => {
      status.textContent = `This page has failed: ${error.message}`;
    });
    button.ariaDisabled = null;
  });
  return { button, statusElements: [status, result] };
}

export function makeEditorPanel(sample: Sample): HTMLElement {
  const details = createElement(
    "details",
    { class: "settings editor" },
    createElement("summary", {}, "Edit the request"),
  );
  const showEditor = async () => {
    const { originalCall, fields } = sample;
    const onEdit: typeof sample.edit = (edited) => sample.edit(edited);
    const copyFunctions = ["curl", "powershell"].map((name) => [languageNames[name], () => generateCode(name, sample)]);
    details.append(...(await loadSending()).edit(originalCall, fields, onEdit, Object.fromEntries(copyFunctions)));
  };
  details.addEventListener("toggle", () => showEditor().catch(() => details.append("The editor cannot be loaded.")), {
    once: true,
  });
  return details;
}

/** The code of the call with the reader's edits. */
export async function generateCode(language: string, sample: Sample): Promise<string> {
  const languages = await loadSnippetLanguages();
  const codeOnPage = sample.element.querySelector('.snippet[data-language="typescript"] code')?.textContent ?? "";
  return languages[language]?.(sample.call, codeOnPage) ?? "";
}
