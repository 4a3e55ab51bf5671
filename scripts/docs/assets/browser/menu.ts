/** The list of pages on a narrow screen: the link to it becomes a button that opens and closes it. */

export function startMenu(): void {
  const button = document.querySelector<HTMLAnchorElement>(".menu-link");
  const list = document.getElementById("pages");
  if (button === null || list === null) return;
  button.role = "button";
  button.setAttribute("aria-controls", list.id);
  const show = (isOpen: boolean) => {
    button.setAttribute("aria-expanded", String(isOpen));
    list.classList.toggle("open", isOpen);
    document.documentElement.classList.toggle("menu-open", isOpen);
  };
  const toggle = (event: Event) => {
    event.preventDefault();
    const isOpen = button.ariaExpanded !== "true";
    show(isOpen);
    if (isOpen) (list.querySelector<HTMLElement>("[aria-current]") ?? list.querySelector("a"))?.focus();
  };
  button.addEventListener("click", toggle);
  button.addEventListener("keydown", (event) => {
    if (event.key === " ") toggle(event);
  });
  list.querySelector(".close-link")?.addEventListener("click", (event) => {
    event.preventDefault();
    show(false);
    button.focus();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || button.ariaExpanded !== "true") return;
    show(false);
    button.focus();
  });
  show(false);
  showCurrent(list);
}

/** Scrolls the list, not the page, so that the page that is shown is in sight. */
function showCurrent(list: HTMLElement): void {
  const current = list.querySelector<HTMLElement>("[aria-current]");
  if (current === null) return;
  const below = current.getBoundingClientRect().bottom - list.getBoundingClientRect().bottom;
  if (below > 0) list.scrollTop = below + list.clientHeight / 2;
}
