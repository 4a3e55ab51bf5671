/** Makes what scrolls reachable by the keyboard, only while it scrolls. */
import { all } from "./dom.ts";

export function startScrollers(): void {
  const observer = new ResizeObserver((changes) => {
    for (const { target } of changes) update(target as HTMLElement);
  });
  for (const element of all(".scroll, .diagram-scroll, pre")) observer.observe(element);
}

function update(element: HTMLElement): void {
  if (element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight) {
    for (const name of ["tabindex", "role", "aria-label"]) element.removeAttribute(name);
    return;
  }
  element.tabIndex = 0;
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", labelOf(element));
}

/** What is in it: its own caption, or the heading above it. */
function labelOf(element: HTMLElement): string {
  const kind = element.matches("pre") ? "Code" : element.querySelector("table") === null ? "Diagram" : "Table";
  const own = element.closest("figure")?.querySelector("figcaption") ?? element.querySelector("caption");
  const heading = own ?? element.closest("section")?.querySelector("h2, h3");
  const words = heading?.childNodes[0]?.textContent?.trim();
  return words ? `${kind}: ${words}` : kind;
}
