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

export function queryAll<Kind extends HTMLElement = HTMLElement>(
  selector: string,
  root: ParentNode = document,
): Kind[] {
  return [...root.querySelectorAll<Kind>(selector)];
}

let liveRegion: HTMLElement | undefined;

/** Makes screen readers read a text. */
export function announce(text: string): void {
  if (liveRegion === undefined) {
    liveRegion = createElement("p", { class: "visually-hidden", role: "status" });
    document.body.append(liveRegion);
  }
  liveRegion.textContent = text;
}
