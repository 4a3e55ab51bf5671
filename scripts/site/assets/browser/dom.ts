export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

export function all<Kind extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): Kind[] {
  return [...within.querySelectorAll<Kind>(selector)];
}

let live: HTMLElement | undefined;

/** Announces a text to screen readers. */
export function announce(words: string): void {
  if (live === undefined) {
    live = createElement("p", { class: "visually-hidden", role: "status" });
    document.body.append(live);
  }
  live.textContent = words;
}
