/** Reads the HTML of a page as browsers do. */
import { type DefaultTreeAdapterTypes, parse, serializeOuter } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

export interface ParsedHtml {
  /** The HTML of the element `main`; undefined if the page has no such element, or no end tag of it. */
  main: string | undefined;
  /** The headings of the second and third level that have an id. */
  headings: { id: string; text: string }[];
}

export function parseHtml(html: string): ParsedHtml {
  const elements = elementsIn(parse(html));
  const main = /<\/main\s*>/i.test(html) ? elements.find(({ tagName }) => tagName === "main") : undefined;
  return {
    main: main && serializeOuter(main),
    headings: elements.flatMap((element) => {
      const id = element.attrs.find(({ name }) => name === "id")?.value;
      return id !== undefined && /^h[23]$/.test(element.tagName) ? [{ id, text: textIn(element) }] : [];
    }),
  };
}

function elementsIn(node: Node): Element[] {
  const children = "childNodes" in node ? node.childNodes : [];
  return children.flatMap((child) => ("tagName" in child ? [child, ...elementsIn(child)] : []));
}

function textIn(node: Node): string {
  if (node.nodeName === "#text") return (node as DefaultTreeAdapterTypes.TextNode).value;
  return "childNodes" in node ? node.childNodes.map(textIn).join("") : "";
}
