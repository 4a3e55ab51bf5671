import { type DefaultTreeAdapterTypes, parse } from "parse5";
import type { SitePage } from "../../scripts/site/components/site-page.ts";
import { pathOf } from "../../scripts/site/content/pages.ts";
import type { SiteContent } from "../../scripts/site/content/site.ts";
import { renderPage } from "../../scripts/site/render.tsx";

export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

export interface ParsedPage {
  /** Relative to the site root. */
  path: string;
  html: string;
  elements: Element[];
  main: Element;
  ids: string[];
  byId: Map<string, Element>;
  hrefs: Set<string>;
}

export function parsePages(pages: readonly SitePage[], site: SiteContent): ParsedPage[] {
  return pages.map((page) => parsePage(pathOf(page.ref), renderPage(page, { site, assets: {} })));
}

export function parsePage(path: string, html: string): ParsedPage {
  const elements = elementsOf(parse(html));
  const main = elements.find(({ tagName }) => tagName === "main") as Element;
  const elementsWithId = elements.filter((element) => attribute(element, "id") !== undefined);
  return {
    path,
    html,
    elements: elements,
    main,
    ids: elementsWithId.map((element) => attribute(element, "id") as string),
    byId: new Map(elementsWithId.map((element) => [attribute(element, "id") as string, element])),
    hrefs: new Set(elementsOf(main).flatMap((element) => attribute(element, "href") ?? [])),
  };
}

export function elementsOf(node: Node): Element[] {
  const elements: Element[] = [];
  const visit = (parent: Node): void => {
    for (const child of "childNodes" in parent ? parent.childNodes : []) {
      if ("tagName" in child) elements.push(child);
      visit(child);
    }
  };
  visit(node);
  return elements;
}

export function elementsWithClass(node: Node, name: string): Element[] {
  return elementsOf(node).filter((element) => hasClass(element, name));
}

export function hasClass(element: Element, name: string): boolean {
  return (attribute(element, "class") ?? "").split(" ").includes(name);
}

export function attribute({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attr) => attr.name === name)?.value;
}

export function textOf(node: Node | undefined): string {
  return rawText(node, () => true)
    .replace(/\s+/g, " ")
    .trim();
}

const inlineTags = new Set(["a", "b", "code", "em", "span", "strong", "wbr"]);

export function rawText(node: Node | undefined, isRead: (element: Element) => boolean): string {
  if (node === undefined) return "";
  if ("value" in node) return node.value;
  if ("tagName" in node && !isRead(node)) return " ";
  const text = "childNodes" in node ? node.childNodes.map((child) => rawText(child, isRead)).join("") : "";
  return "tagName" in node && !inlineTags.has(node.tagName) ? ` ${text} ` : text;
}
