import Turndown from "turndown";

/** If undefined, only the text of the link is kept. */
type HrefOf = (href: string) => string | undefined;

type Replacement = (content: string, element: HTMLElement) => string;

const emphasisByClass: Record<string, string> = { mark: "*", type: "*", required: "**" };

/** The replacements of elements, by tag names. {@link makeConverter} adds links and hidden elements; Turndown has the others. */
const rules: Record<string, Replacement> = {
  "nav svg button": () => "",
  details: separateBlock,
  summary: (content) => separateBlock(`**${content}**`),
  q: (content) => `"${content}"`,
  span: (content, { className }) => {
    const emphasis = emphasisByClass[className.split(" ")[0] ?? ""] ?? "";
    return emphasis + content + emphasis;
  },
  "ul ol": (content, { parentElement }) =>
    parentElement?.tagName === "LI" ? `\n${content.trim()}\n` : separateBlock(content),
  li: (content, element) => {
    const { tagName, children } = element.parentElement as HTMLElement;
    const bullet = tagName === "OL" ? `${Array.from(children).indexOf(element) + 1}. ` : "- ";
    // In HTML, only the style of the list marks its entries as open questions. Markdown has no styles.
    const isQuestion = element.parentElement?.classList.contains("questions") === true;
    return `\n${bullet}${isQuestion ? "Open question: " : ""}${indentLines(content, bullet.length)}\n`;
  },
  figcaption: (content, { parentElement }) =>
    separateBlock(isCodeFigure(parentElement) ? `${content.trim().replace(": ", " ")}:` : content),
  pre: (content, { parentElement, textContent }) => {
    if (!isCodeFigure(parentElement)) return separateBlock(content);
    const code = (textContent ?? "").replace(/\n$/, "");
    const longestFence = Math.max(2, ...(code.match(/^`{3,}/gm) ?? []).map(({ length }) => length));
    const fence = "`".repeat(longestFence + 1);
    return separateBlock(`${fence}${parentElement?.getAttribute("data-language") ?? ""}\n${code}\n${fence}`);
  },
  dl: separateBlock,
  div: (content, { parentElement }) => (parentElement?.tagName === "DL" ? content : separateBlock(content)),
  dt: (content, { previousElementSibling: previousElement }) =>
    `${previousElement?.tagName === "DT" ? ", " : "\n- "}${content.trim()}`,
  dd: (content, { previousElementSibling: previousElement }) => {
    const lines = indentLines(content, 2);
    if (previousElement?.tagName === "DD") return `\n\n  ${lines}`;
    return /^(?:[-*] |\d+\. |\||```|#)/.test(lines) ? `:\n  ${lines}\n` : `: ${lines}\n`;
  },
  table: separateBlock,
  thead: (content, element) => `${content.trimEnd()}\n|${" --- |".repeat(element.querySelectorAll("th, td").length)}\n`,
  tbody: (content) => content,
  tr: (content) => `\n|${content}\n`,
  "th td": (content) => {
    const lines = content.split("\n").map((line) => line.replace(/^\s*[-*] /, "").trim());
    // A table cell in Markdown cannot contain a line break.
    return ` ${lines
      .filter((line) => line !== "")
      .join("<br/>")
      .replaceAll("|", "\\|")} |`;
  },
};

/** @param html the element `main` of a page, or a part of it. */
export function toMarkdown(html: string, hrefOf: HrefOf): string {
  return `${makeConverter(hrefOf).turndown(html).trim()}\n`;
}

function makeConverter(hrefOf: HrefOf): Turndown {
  const turndown = new Turndown({
    headingStyle: "atx",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
    emDelimiter: "*",
    blankReplacement: (_, node) => ((node as HTMLElement & { isBlock: boolean }).isBlock ? "\n\n" : ""),
  });
  for (const [tags, replacement] of Object.entries(rules)) {
    turndown.addRule(tags, {
      filter: tags.split(" ") as Turndown.TagName[],
      replacement: (content, node) => replacement(content, node as HTMLElement),
    });
  }
  turndown.addRule("link", {
    filter: "a",
    replacement: (content, node) => {
      const href = hrefOf((node as HTMLElement).getAttribute("href") ?? "");
      return href === undefined ? content : `[${content}](${href})`;
    },
  });
  turndown.addRule("hidden", { filter: (node) => node.hasAttribute("hidden"), replacement: () => "" });
  const escapeAll = turndown.escape;
  turndown.escape = (text) =>
    escapeAll(text)
      .replace(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, "_")
      .replace(/<(?=[\w/!?])/g, "\\<")
      .replace(/&(?=#?\w+;)/g, "\\&");
  return turndown;
}

function isCodeFigure(figure: HTMLElement | null): boolean {
  return figure?.classList.contains("code") === true;
}

function separateBlock(content: string): string {
  return `\n\n${content}\n\n`;
}

function indentLines(content: string, width: number): string {
  return content.trim().replace(/\n(?!\n)/g, `\n${" ".repeat(width)}`);
}
