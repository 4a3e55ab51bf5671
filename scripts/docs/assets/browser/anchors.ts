/** Addresses of parts of a page: links beside headings, and what is folded around the part that the address names. */
import { all, make } from "./dom.ts";

export function startAnchors(): void {
  for (const heading of all("main :is(h2, h3)")) {
    const id = heading.id || (heading.matches("section[id] > :first-child") ? heading.parentElement?.id : "");
    if (!id || heading.querySelector("a") !== null) continue;
    heading.append(make("a", { class: "anchor", href: `#${id}`, "aria-label": `Link to “${heading.textContent}”` }));
  }
  addEventListener("hashchange", revealTarget);
  revealTarget();
}

/** Opens what is closed around the part that the address names, and goes there. */
function revealTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target === null) return;
  const folded = [];
  for (let details = closedAround(target); details !== null; details = closedAround(details)) {
    details.open = true;
    folded.push(details);
  }
  const isInHiddenSample = target.closest(".sample[hidden]") !== null;
  target.dispatchEvent(new Event("reveal", { bubbles: true }));
  if (folded.length > 0 || isInHiddenSample) target.scrollIntoView();
}

function closedAround(element: HTMLElement): HTMLDetailsElement | null {
  const around = element.matches("details") ? element : element.parentElement;
  return around?.closest<HTMLDetailsElement>("details:not([open])") ?? null;
}
