import { Marked, type RendererObject, type TokenizerAndRendererExtension } from "marked";
import { type ComponentChild, Fragment } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Provenance } from "../../contract/model/index.ts";
import { slugOf } from "../content/pages.ts";
import { CodeBlock } from "./code-block.tsx";
import { ProvenanceMark, SensitiveMark } from "./marks.tsx";

const renderNode = (node: ComponentChild) => renderToString(<Fragment>{node}</Fragment>);

const rawHtmlProps = (text: string) => ({ dangerouslySetInnerHTML: { __html: text } });

const markExtension: TokenizerAndRendererExtension = {
  name: "mark",
  level: "inline",
  start: (source) => source.indexOf("{mark:"),
  tokenizer(source) {
    const [raw, kind] = /^\{mark:(specification|reference|observed|proposed|sensitive)\}/.exec(source) ?? [];
    return raw === undefined ? undefined : { type: "mark", raw, kind };
  },
  renderer: ({ kind }) => {
    if (kind === "sensitive") return renderNode(<SensitiveMark />);
    return renderNode(<ProvenanceMark provenance={kind as Provenance} />);
  },
};

const renderer: RendererObject = {
  // In texts of the contract, `<id>` is literal text.
  html: ({ text }) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
  // A label, such as a file name, may follow the language.
  code({ text, lang = "text" }) {
    const [, language = "", label] = /^(\S+)(?: (.*))?$/.exec(lang) ?? [];
    return renderNode(<CodeBlock code={text} language={language} label={label} />);
  },
  // List entries that start with `[ ]` are checkboxes. The page's script stores their state.
  listitem({ task, tokens }) {
    if (!task) return false;
    const words = this.parser.parse(tokens.filter(({ type }) => type !== "checkbox"));
    return `<li class="tick"><label><input type="checkbox"/> <span>${words}</span></label></li>`;
  },
  heading({ tokens, depth, text }) {
    const Heading = `h${depth}` as "h2";
    return renderNode(
      <Heading
        id={slugOf(text.replace(/[`*_]|\]\([^)]*\)/g, ""))}
        {...rawHtmlProps(this.parser.parseInline(tokens))}
      />,
    );
  },
};

/** Makes tables scrollable, and their header cells headers of columns. An empty header cell, as in a corner, becomes a data cell. */
const postprocess = (text: string) =>
  text
    .replace(/<table>/g, '<div class="scroll"><table>')
    .replace(/<\/table>/g, "</table></div>")
    .replace(/<th><\/th>/g, "<td></td>")
    .replace(/<th>/g, '<th scope="col">');

const markdownRenderer = new Marked({ extensions: [markExtension], renderer, hooks: { postprocess } });

/** Most statements have these marks, so only weaker marks are shown. */
const strongMarks = /(?<=[\p{L}\p{N}).,:`])\s\{mark:(?:specification|reference)\}/gu;

/** The links in `text` must have been resolved by `linkText`. */
export function renderMarkdown(text: string): string {
  return markdownRenderer.parse(text.replace(strongMarks, ""), { async: false });
}

export function renderInlineMarkdown(text: string): string {
  return markdownRenderer.parseInline(text, { async: false });
}

export function plainText(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/[`*]|\{mark:\w+\}/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
