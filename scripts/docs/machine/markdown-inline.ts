/** The parts of a line as Markdown. */
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { attributeOf, type HtmlElement, type HtmlNode, textOf } from "./html-tree.ts";

/** What a page needs to know of the others. */
export interface TwinContext {
  /** The address that a link has in the Markdown. */
  hrefOf(href: string): string;
  /** Whether something links to an anchor of this page. */
  isAnchorWanted(id: string): boolean;
}

/** A line break in a cell of a table, for which Markdown has no form of its own. */
export const cellBreak = renderToString(h("br", null));

/** Marks the place that a link leads to. */
export function anchor(id: string): string {
  return renderToString(h("a", { id }));
}

/** What goes around the words of an element. */
const signs: Record<string, string> = { strong: "**", b: "**", em: "*", i: "*" };
const signsOfClasses: Record<string, string> = { mark: "*", type: "*", required: "**" };
const leftOut = new Set(["img", "svg", "wbr", "button", "script", "input"]);

/** Nodes of a line as Markdown, on one line, trimmed. */
export function inlineOf(nodes: readonly HtmlNode[], context: TwinContext, openIds: readonly string[] = []): string {
  const write = (node: HtmlNode, ids: readonly string[]): string => {
    if (typeof node === "string") return escapeText(node);
    if (leftOut.has(node.tag)) return "";
    if (node.tag === "br") return " ";
    if (node.tag === "code" || node.tag === "kbd") return codeSpan(textOf(node));
    const id = attributeOf(node, "id");
    const inside = node.children.map((child) => write(child, id === undefined ? ids : [...ids, id])).join("");
    const start = id !== undefined && context.isAnchorWanted(id) ? anchor(id) : "";
    if (node.tag === "a") return start + link(node, inside, context, ids);
    if (node.tag === "q") return `${start}"${inside}"`;
    const sign = signs[node.tag] ?? (node.tag === "span" ? signsOfClasses[firstClass(node)] : undefined) ?? "";
    return start + around(inside, sign);
  };
  return nodes
    .map((node) => write(node, openIds))
    .join("")
    .replace(/[ \t\n]+/g, " ")
    .trim();
}

/** The class that says what an element is. */
export function firstClass(element: HtmlElement): string {
  return attributeOf(element, "class")?.split(" ")[0] ?? "";
}

function link(element: HtmlElement, words: string, { hrefOf }: TwinContext, ids: readonly string[]): string {
  const href = attributeOf(element, "href") ?? "";
  // What links to itself, so that its address can be copied.
  if (href === "" || (href.startsWith("#") && ids.includes(href.slice(1)))) return words;
  return `[${words.trim()}](${hrefOf(href)})`;
}

/** Markdown wants no space inside of its signs. */
function around(words: string, sign: string): string {
  const inner = words.trim();
  return sign === "" || inner === "" ? words : words.replace(inner, () => sign + inner + sign);
}

function codeSpan(code: string): string {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? fence + code + fence : `${fence} ${code} ${fence}`;
}

/** What could mean something to Markdown. */
const special = /[\\`*[\]_<&]/;

/** A text without meaning for Markdown; a `_`, `<` or `&` has one only where it could begin something. */
function escapeText(text: string): string {
  if (!special.test(text)) return text;
  return text
    .replace(/[\\`*[\]]/g, "\\$&")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(/<(?=[\w/!?])/g, "\\<")
    .replace(/&(?=#?\w+;)/g, "\\&");
}

/** A paragraph whose first characters begin nothing else, such as a list. */
export function paragraph(line: string): string {
  return line.replace(/^(?:[-+#>](?=\s|$)|#{2,6}\s)/, "\\$&").replace(/^(\d+)([.)])(?=\s)/, "$1\\$2");
}
