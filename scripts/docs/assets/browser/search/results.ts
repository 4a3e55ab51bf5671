/** The list of what was found. */
import { make } from "../dom.ts";
import type { Hit } from "./find.ts";

/** Shows pages as links. */
export function resultItem({ url, title, kind, isElsewhere, part, excerpt }: Hit): HTMLLIElement {
  const heading = make("span", { class: "result-title" }, title);
  if (part !== undefined) heading.append(make("span", { class: "result-part" }, part));
  if (isElsewhere) heading.append(make("span", { class: "result-edition" }, "edition test"));
  const words = make("span", { class: "result-excerpt" }, ...nodesOf(excerpt));
  return make("li", {}, make("a", { href: url }, heading, make("span", { class: "result-kind" }, kind), words));
}

/** Says how many pages there are. */
export function countWords(count: number): string {
  if (count === 0) return "Nothing found.";
  return `${count} ${count === 1 ? "page" : "pages"} found.`;
}

/** Why nothing can be found. */
export function failureWords(): string {
  return location.protocol === "file:"
    ? "The search needs a web server: open this site through npm start, or any other server."
    : "The index of the search cannot be loaded from this server.";
}

/** The text and the marked words of an excerpt; nothing else of it gets into the page. */
function nodesOf(excerpt: string): Node[] {
  const { body } = new DOMParser().parseFromString(excerpt, "text/html");
  return [...body.childNodes].map((node) =>
    node.nodeName === "MARK"
      ? make("mark", {}, node.textContent ?? "")
      : document.createTextNode(node.textContent ?? ""),
  );
}
