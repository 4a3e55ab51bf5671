/** "On this page": marks the heading that is being read. */
import { all } from "./dom.ts";

/** Pixels below the bars within which a heading counts as reached. */
const slack = 24;

export function startContents(): void {
  const list = document.querySelector<HTMLElement>(".contents ul");
  if (list === null) return;
  const entries = all<HTMLAnchorElement>("a", list).flatMap((link) => {
    const heading = document.getElementById(link.hash.slice(1));
    return heading === null ? [] : [{ link, heading }];
  });
  let current: HTMLAnchorElement | undefined;
  const mark = () => {
    isPending = false;
    const edge = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + slack;
    const reached = entries.filter(
      ({ heading }) => heading.getBoundingClientRect().top <= edge && !standsBeside(heading),
    );
    const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0;
    const link = (isAtEnd ? entries.findLast(({ heading }) => !standsBeside(heading)) : reached.at(-1))?.link;
    if (link === current) return;
    current?.removeAttribute("aria-current");
    current = link;
    if (link === undefined) return;
    link.setAttribute("aria-current", "true");
    list.scrollLeft = link.offsetLeft - list.clientWidth / 2 + link.offsetWidth / 2;
  };
  let isPending = false;
  const later = () => {
    if (isPending) return;
    isPending = true;
    requestAnimationFrame(mark);
  };
  addEventListener("scroll", later, { passive: true });
  addEventListener("resize", later);
  later();
}

/** Whether a heading stays in sight beside the text, so that it says nothing of what is being read. */
function standsBeside(heading: HTMLElement): boolean {
  const column = heading.closest(".samples");
  return column !== null && getComputedStyle(column).position === "sticky";
}
