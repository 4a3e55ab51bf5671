import { announce, createElement } from "./dom.ts";

const confirmationMs = 1600;

/** The button shows for a moment whether the text was copied. @param label empty for a button with an icon only. */
export function copyButton(
  label: string,
  getText: () => string | Promise<string>,
  attributes: Record<string, string>,
): HTMLButtonElement {
  const button = createElement("button", { type: "button", ...attributes }, label);
  let timer = 0;
  const showResult = (result: string) => {
    button.dataset.done = result;
    if (label !== "") button.textContent = result;
    announce(result);
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      delete button.dataset.done;
      button.textContent = label;
    }, confirmationMs);
  };
  button.addEventListener("click", async () => {
    const copy = async () => navigator.clipboard.writeText(await getText());
    showResult(
      await copy().then(
        () => "Copied",
        () => "Not copied",
      ),
    );
  });
  return button;
}
