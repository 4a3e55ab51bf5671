/** The content of a page as Markdown. */
import { attributeOf, childrenOf, type HtmlElement, type HtmlNode, textOf } from "./html-tree.ts";
import { anchor, cellBreak, firstClass, inlineOf, paragraph, type TwinContext } from "./markdown-inline.ts";

/** Elements that hold blocks. */
const holders = new Set(["main", "section", "article", "aside", "div", "figure", "blockquote", "dd", "header"]);
const headings: Record<string, string> = { h1: "#", h2: "##", h3: "###", h4: "####", h5: "#####", h6: "######" };
const otherBlocks = new Set([
  "p",
  "ul",
  "ol",
  "dl",
  "table",
  "pre",
  "details",
  "summary",
  "hr",
  "nav",
  "figcaption",
  "svg",
]);

const isBlock = (node: HtmlNode): node is HtmlElement =>
  typeof node !== "string" && (holders.has(node.tag) || otherBlocks.has(node.tag) || node.tag in headings);

/** What stands before the words of an item, by the class of its list: on the page, the style shows it. */
const prefixes: Record<string, string> = { questions: "Open question: " };

/**
 * The content of a page as Markdown: its text, without what leads through the site.
 *
 * @param main the element `main`.
 */
export function toMarkdown(main: HtmlElement, context: TwinContext): string {
  return `${new Writer(context).blocks([main]).join("\n\n")}\n`;
}

class Writer {
  readonly #context: TwinContext;
  /** Anchors of elements whose first words have not come yet. */
  #pending: string[] = [];
  /** The anchors that enclose what is written. */
  readonly #openIds: string[] = [];
  readonly #headingSlugs = new Set<string>();

  constructor(context: TwinContext) {
    this.#context = context;
  }

  blocks(nodes: readonly HtmlNode[]): string[] {
    const blocks: string[] = [];
    let line: HtmlNode[] = [];
    const endLine = () => {
      const text = this.#inline(line);
      line = [];
      if (text !== "") blocks.push(this.#anchors() + paragraph(text));
    };
    for (const node of nodes) {
      if (!isBlock(node)) {
        line.push(node);
        continue;
      }
      endLine();
      for (const block of this.#block(node)) blocks.push(separateLists(blocks.at(-1), block));
    }
    endLine();
    return blocks;
  }

  #block(element: HtmlElement): string[] {
    const { tag, children } = element;
    if (tag === "nav" || tag === "hr" || attributeOf(element, "hidden") !== undefined) return [];
    return this.#within(element, () => {
      if (tag in headings) return this.#heading(element);
      if (tag === "ul" || tag === "ol") return this.#list(element);
      if (tag === "dl") return this.#terms(element);
      if (tag === "table") return this.#table(element);
      if (tag === "pre") return [...this.#lonelyAnchors(), fence(textOf(element), "")];
      if (tag === "figure" && firstClass(element) === "code") return this.#code(element);
      if (tag === "summary") return [`${this.#anchors()}**${this.#inline(children)}**`];
      if (tag === "svg") return [];
      return this.blocks(children);
    });
  }

  /** Writes what an element holds; its anchor goes before the first words of it. */
  #within(element: HtmlElement, write: () => string[]): string[] {
    const id = attributeOf(element, "id");
    if (id === undefined) return write();
    if (this.#context.isAnchorWanted(id)) this.#pending.push(id);
    this.#openIds.push(id);
    const blocks = write();
    this.#openIds.pop();
    return blocks;
  }

  #inline(nodes: readonly HtmlNode[]): string {
    return inlineOf(nodes, this.#context, this.#openIds);
  }

  #anchors(): string {
    const anchors = this.#pending.map(anchor).join("");
    this.#pending = [];
    return anchors;
  }

  /** The anchors of a block that has no place for them. */
  #lonelyAnchors(): string[] {
    const anchors = this.#anchors();
    return anchors === "" ? [] : [anchors];
  }

  #heading({ tag, children }: HtmlElement): string[] {
    const slug = slugOfHeading(children.map(textOf).join(""));
    // Readers of Markdown give a heading the anchor of its words.
    if (!this.#headingSlugs.has(slug)) this.#pending = this.#pending.filter((id) => id !== slug);
    this.#headingSlugs.add(slug);
    return [`${headings[tag]} ${this.#anchors()}${this.#inline(children)}`];
  }

  #list(list: HtmlElement): string[] {
    const prefix = prefixes[firstClass(list)] ?? "";
    const start = Number(attributeOf(list, "start") ?? 1);
    const items = childrenOf(list, "li").map((item, index) => {
      const bullet = list.tag === "ol" ? `${start + index}.` : "-";
      return listItem(
        bullet,
        prefix,
        this.#within(item, () => this.blocks(item.children)),
      );
    });
    return items.length === 0 ? [] : [items.join("\n")];
  }

  /** A list of terms, each with what it means. */
  #terms(list: HtmlElement): string[] {
    const parts = list.children.flatMap((node) =>
      typeof node !== "string" && node.tag === "div" ? childrenOf(node, "dt", "dd") : [node],
    );
    const items: { terms: string[]; meanings: string[] }[] = [];
    for (const part of parts) {
      if (typeof part === "string") continue;
      const last = items.at(-1);
      const isTerm = part.tag === "dt";
      const blocks = this.#within(part, () => this.blocks(part.children));
      if (!isTerm) last?.meanings.push(...blocks);
      else if (last === undefined || last.meanings.length > 0) items.push({ terms: blocks, meanings: [] });
      else last.terms.push(...blocks);
    }
    const lines = items.map(({ terms, meanings: [first = "", ...others] }) => {
      const term = terms.join(", ");
      return isParagraph(first)
        ? listItem("-", "", [`${term}: ${first}`, ...others])
        : listItem("-", "", [`${term}:`, first, ...others]);
    });
    return lines.length === 0 ? [] : [lines.join("\n")];
  }

  #table(table: HtmlElement): string[] {
    const caption = childrenOf(table, "caption").map(({ children }) => `**${this.#inline(children)}**`);
    const rowsIn = (parent: HtmlElement) => childrenOf(parent, "tr");
    const head = childrenOf(table, "thead").flatMap(rowsIn);
    const body = [...rowsIn(table), ...childrenOf(table, "tbody").flatMap(rowsIn)];
    const lonely = this.#lonelyAnchors();
    const rows = [...head, ...body].map((row) => {
      const cells = childrenOf(row, "th", "td").map((cell) => this.#cell(row, cell));
      return `| ${cells.join(" | ")} |`;
    });
    const width = Math.max(...[...head, ...body].map((row) => childrenOf(row, "th", "td").length));
    const line = `|${" --- |".repeat(width)}`;
    const first = head.length === 0 ? `|${"  |".repeat(width)}` : (rows.shift() ?? "");
    return [...caption, ...lonely, [first, line, ...rows].join("\n")];
  }

  #cell(row: HtmlElement, cell: HtmlElement): string {
    const blocks = this.#within(row, () => this.#within(cell, () => this.blocks(cell.children)));
    return blocks
      .flatMap((block) => block.split("\n"))
      .map((line) => line.replace(/^\s*[-*] /, "").trim())
      .filter((line) => line !== "")
      .join(cellBreak)
      .replaceAll("|", "\\|");
  }

  #code(figure: HtmlElement): string[] {
    const label = childrenOf(figure, "figcaption").map(({ children }) => endWithColon(this.#inline(children)));
    const code = childrenOf(figure, "pre").map(textOf).join("");
    return [...this.#lonelyAnchors(), ...label, fence(code, attributeOf(figure, "data-language") ?? "")];
  }
}

/** What stands above a block of code. */
function endWithColon(words: string): string {
  return words.includes(": ") ? `${words.replace(": ", " ")}:` : `${words}:`;
}

function isParagraph(block: string): boolean {
  return !/^(?:[-*] |\d+[.)] |\||```|#)/.test(block);
}

/** An item of a list. A list in it follows its words at once. */
function listItem(bullet: string, prefix: string, blocks: readonly string[]): string {
  const text = blocks.reduce(
    (before, block) => before + (/^(?:[-*] |\d+[.)] )/.test(block) ? "\n" : "\n\n") + block,
    "",
  );
  const indent = " ".repeat(bullet.length + 1);
  return `${bullet} ${prefix}${text.trim().replace(/\n(?!\n)/g, `\n${indent}`)}`;
}

/** Two lists behind each other are one list for Markdown, unless their bullets differ. */
function separateLists(before: string | undefined, block: string): string {
  if (before?.startsWith("- ") === true) return block.replace(/^- /gm, "* ");
  if (/^\d+\. /.test(before ?? "")) return block.replace(/^(\d+)\. /gm, "$1) ");
  return block;
}

function fence(code: string, language: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}${language}\n${code.replace(/\n$/, "")}\n${ticks}`;
}

/** The anchor that GitHub and most others give a heading. */
function slugOfHeading(words: string): string {
  return words
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
