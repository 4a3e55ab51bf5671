/** Markdown of the contract and of the guides as HTML. */
import { Marked, type RendererObject, type TokenizerAndRendererExtension } from "marked";
import { type ComponentChild, Fragment } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Provenance } from "../../contract/model/index.ts";
import { CodeBlock } from "../components/code-block.tsx";
import { ProvenanceMark, SensitiveMark } from "../components/marks.tsx";
import { slugOf } from "../site/pages.ts";

const html = (node: ComponentChild) => renderToString(<Fragment>{node}</Fragment>);

/** Parsed Markdown inside of an element. */
const inside = (text: string) => ({ dangerouslySetInnerHTML: { __html: text } });

/** `{mark:proposed}`, and the other marks. */
const markExtension: TokenizerAndRendererExtension = {
  name: "mark",
  level: "inline",
  start: (source) => source.indexOf("{mark:"),
  tokenizer(source) {
    const [raw, kind] = /^\{mark:(specification|reference|observed|proposed|sensitive)\}/.exec(source) ?? [];
    return raw === undefined ? undefined : { type: "mark", raw, kind };
  },
  renderer: ({ kind }) => {
    if (kind === "sensitive") return html(<SensitiveMark />);
    return html(<ProvenanceMark provenance={kind as Provenance} />);
  },
};

const renderer: RendererObject = {
  // `<id>` in a text of the contract means these characters.
  html: ({ text }) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
  // Behind the language may stand the name of the file.
  code({ text, lang = "text" }) {
    const [language = "text", label] = lang.split(" ");
    return html(<CodeBlock code={text} language={language} label={label} />);
  },
  // An entry of a list that starts with `[ ]` can be ticked; the script of the page remembers it.
  listitem({ task, tokens }) {
    if (!task) return false;
    const words = this.parser.parse(tokens.filter(({ type }) => type !== "checkbox"));
    return `<li class="tick"><label><input type="checkbox"/> <span>${words}</span></label></li>`;
  },
  heading({ tokens, depth, text }) {
    const Heading = `h${depth}` as "h2";
    return html(
      <Heading id={slugOf(text.replace(/[`*_]|\]\([^)]*\)/g, ""))} {...inside(this.parser.parseInline(tokens))} />,
    );
  },
};

/** A table scrolls by itself; its corner is no heading of anything. */
const postprocess = (text: string) =>
  text
    .replace(/<table>/g, '<div class="scroll"><table>')
    .replace(/<\/table>/g, "</table></div>")
    .replace(/<th><\/th>/g, "<td></td>")
    .replace(/<th>/g, '<th scope="col">');

const marked = new Marked({ extensions: [markExtension], renderer, hooks: { postprocess } });

/** The marks behind what is stated or seen, which most is: only what is weaker has one. */
const strongMarks = /(?<=[\p{L}\p{N}).,:`])\s\{mark:(?:specification|reference)\}/gu;

/** The HTML of a text. Links of this project must be resolved already, see `linkText`. */
export function renderMarkdown(text: string): string {
  return marked.parse(text.replace(strongMarks, ""), { async: false });
}

/** The HTML of a text of one paragraph, without the paragraph. */
export function renderInlineMarkdown(text: string): string {
  return marked.parseInline(text, { async: false });
}

/** A text without Markdown, on one line, for titles and descriptions of pages. */
export function plainText(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/[`*]|\{mark:\w+\}/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
