/** Enhancements of pages: anchors, stored ticks, copy buttons, the current heading, the menu, keyboard scrolling. */
import { storedValue, storeValue } from "./choices.ts";
import { copyButton } from "./copy-button.ts";
import { createElement, queryAll } from "./dom.ts";
import { decodeAddress } from "./site-url.ts";

export function startAnchors(): void {
  for (const heading of queryAll("main :is(h2, h3)")) {
    const id = heading.id || (heading.matches("section[id] > :first-child") ? heading.parentElement?.id : "");
    if (!id || heading.querySelector("a") !== null) continue;
    // The anchor follows the heading. Inside the heading, a screen reader would read the words twice.
    const anchor = createElement("a", {
      class: "anchor",
      href: `#${id}`,
      "aria-label": `Link to “${heading.textContent}”`,
    });
    heading.classList.add("anchored");
    heading.after(anchor);
  }
  addEventListener("hashchange", revealTarget);
  revealTarget();
}

function revealTarget(): void {
  const target = document.getElementById(decodeAddress(location.hash.slice(1)));
  if (target === null) return;
  const closedDetails = queryAll<HTMLDetailsElement>("details:not([open])").filter((details) =>
    details.contains(target),
  );
  for (const details of closedDetails) details.open = true;
  const wasHidden = target.closest("[hidden]") !== null;
  target.dispatchEvent(new Event("reveal", { bubbles: true }));
  if (closedDetails.length > 0 || wasHidden) target.scrollIntoView();
}

export function startTicks(): void {
  for (const box of queryAll<HTMLInputElement>(".tick input")) {
    const name = `tick-${location.pathname}-${box.closest("li")?.textContent?.trim()}`;
    box.checked = storedValue(name) !== "";
    box.addEventListener("change", () => storeValue(name, box.checked ? "yes" : ""));
  }
}

/** Highlights the heading that last scrolled into the upper part of the window. */
export function startContents(): void {
  // In wide windows, samples stay visible beside the text, so their heading does not count.
  const links = queryAll<HTMLAnchorElement>('.contents a:not([href="#samples"])');
  const observer = new IntersectionObserver(
    (changes) => {
      const heading = changes.find(({ isIntersecting }) => isIntersecting)?.target;
      if (heading === undefined) return;
      for (const link of links) link.ariaCurrent = link.hash === `#${heading.id}` ? "true" : null;
    },
    { rootMargin: "0px 0px -65%" },
  );
  for (const link of links) observer.observe(document.getElementById(link.hash.slice(1)) as HTMLElement);
}

export function startCopying(): void {
  // Browsers offer no clipboard to pages loaded over plain HTTP from another computer.
  if (navigator.clipboard === undefined) return;
  for (const code of queryAll(".code code")) {
    const attributes = { class: "copy", "aria-label": `Copy: ${labelOf(code, "code")}` };
    code.closest(".code")?.append(copyButton("Copy", () => code.textContent, attributes));
  }
  for (const element of queryAll("[data-copy]")) {
    const attributes = { class: "copy copy-inline", "aria-label": `Copy ${element.textContent}`, title: "Copy" };
    element.after(copyButton("", () => element.textContent, attributes));
  }
}

export function startMenu(): void {
  const [list] = queryAll("#pages");
  if (list === undefined) return;
  const currentLink = list.querySelector<HTMLElement>("[aria-current]");
  list.addEventListener("toggle", ({ newState }) => {
    if (newState === "open") (currentLink ?? list.querySelector("a"))?.focus();
  });
  const distanceBelow = (currentLink?.getBoundingClientRect().bottom ?? 0) - list.getBoundingClientRect().bottom;
  if (distanceBelow > 0) list.scrollTop = distanceBelow + list.clientHeight / 2;
}

/** Makes elements focusable by keyboard while their content overflows. */
export function startScrollers(): void {
  const observer = new ResizeObserver((changes) => {
    for (const { target } of changes) {
      const isOverflowing = target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight;
      const attributes = { tabindex: "0", role: "group", "aria-label": labelOf(target, "Table") };
      for (const [name, value] of Object.entries(attributes)) {
        if (isOverflowing) target.setAttribute(name, value);
        else target.removeAttribute(name);
      }
    }
  });
  for (const element of queryAll(".scroll, pre")) observer.observe(element);
}

function labelOf(element: Element, fallback: string): string {
  const caption = element.closest("figure")?.querySelector("figcaption");
  const heading = element.closest("section, li")?.querySelector("h2, h3");
  const names = [caption, heading].map((item) => item?.childNodes[0]?.textContent?.trim()).filter(Boolean);
  return names.join(", ") || fallback;
}
