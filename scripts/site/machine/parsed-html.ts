/** Reads HTML as browsers do. */
import { type DefaultTreeAdapterTypes, parse } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;
export type Element = DefaultTreeAdapterTypes.Element;

export interface ParsedHtml {
  /** The element `main`; undefined if the page has no such element, or no end tag of it. */
  main: Element | undefined;
  /** The headings of the second and third level that have an id. */
  headings: { id: string; text: string }[];
}

export type ParsedPages = ReadonlyMap<string, ParsedHtml>;

export function parsePages(pages: Readonly<Record<string, string>>): ParsedPages {
  return new Map(Object.entries(pages).map(([path, html]) => [path, parseHtml(html)]));
}

function parseHtml(html: string): ParsedHtml {
  const elements = elementsIn(parse(html));
  return {
    main: /<\/main\s*>/i.test(html) ? elements.find(({ tagName }) => tagName === "main") : undefined,
    headings: elements.flatMap((element) => {
      const id = attributeOf(element, "id");
      return id !== undefined && isHeading(element) ? [{ id, text: textsIn(element).join("") }] : [];
    }),
  };
}

export function isHeading({ tagName }: Element): boolean {
  return /^h[23]$/.test(tagName);
}

export function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value;
}

/** In document order. Leaves out elements named in `skippedTags`, with their content. */
export function elementsIn(node: Node, skippedTags: readonly string[] = []): Element[] {
  return childrenOf(node, skippedTags).flatMap((child) =>
    "tagName" in child ? [child, ...elementsIn(child, skippedTags)] : [],
  );
}

/** In document order. Leaves out texts in elements named in `skippedTags`. */
export function textsIn(node: Node, skippedTags: readonly string[] = []): string[] {
  if (node.nodeName === "#text") return [(node as DefaultTreeAdapterTypes.TextNode).value];
  return childrenOf(node, skippedTags).flatMap((child) => textsIn(child, skippedTags));
}

function childrenOf(node: Node, skippedTags: readonly string[]): Node[] {
  return "childNodes" in node ? node.childNodes.filter(({ nodeName }) => !skippedTags.includes(nodeName)) : [];
}
