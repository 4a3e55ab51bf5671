export function findById<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  return document.getElementById(id) as Kind;
}

export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const newElement = Object.assign(document.createElement(name), properties);
  newElement.append(...children);
  return newElement;
}

export const note = (text: string): HTMLElement => createElement("p", { className: "muted" }, text);

export function codeBlock(title: string, value: unknown): HTMLElement {
  return createElement("pre", { tabIndex: 0, ariaLabel: title }, JSON.stringify(value, null, 2));
}
