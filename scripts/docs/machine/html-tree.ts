/** Reads the rendered content of a page, for what is made from it. */
import { type Token, type TokenHandler, Tokenizer } from "parse5";

export interface HtmlElement {
  tag: string;
  attributes: readonly Token.Attribute[];
  children: HtmlNode[];
}

export type HtmlNode = HtmlElement | string;

export interface PageTree {
  /** The element `main`. */
  main: HtmlElement;
  /** The anchors of the page that it links to itself; what links to itself, so that its address can be copied, is left out. */
  ownAnchors: Set<string>;
}

const voidTags = new Set(["br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"]);

/**
 * Reads the element `main` of a page that this project has rendered: every element is closed there, so the tokens of parse5 are
 * enough, which takes half the time of its tree.
 *
 * @param path of the page, below the folder of the site.
 * @throws {Error} when the page has no `main`, or elements that are not closed.
 */
export function readPage(path: string, html: string): PageTree {
  const reader = new TreeReader(path);
  const start = html.indexOf("<main");
  const end = html.indexOf("</main>");
  if (start < 0 || end < 0) throw new Error(`The page ${path} has no main element.`);
  const content = html.slice(start, end + "</main>".length).replace(codeParts, withoutTags);
  new Tokenizer({ sourceCodeLocationInfo: false }, reader).write(content, true);
  return reader.finish();
}

/** Blocks of code: a good part of the elements of a page are there, to give them colours. */
const codeParts = /(<pre[^>]*><code[^>]*>)(.*?)(?=<\/code>)/gs;

function withoutTags(_: string, start: string, code: string): string {
  return start + code.replace(/<[^>]*>/g, "");
}

class TreeReader implements TokenHandler {
  readonly #path: string;
  readonly #root: HtmlElement = { tag: "", attributes: [], children: [] };
  readonly #open: HtmlElement[] = [this.#root];
  readonly #ownAnchors = new Set<string>();

  constructor(path: string) {
    this.#path = path;
  }

  finish(): PageTree {
    const [main] = this.#root.children;
    if (this.#open.length !== 1 || main === undefined || typeof main === "string") {
      throw new Error(`The page ${this.#path} cannot be read: ${this.#open.at(-1)?.tag} is not closed.`);
    }
    return { main, ownAnchors: this.#ownAnchors };
  }

  onStartTag({ tagName, attrs, selfClosing }: Token.TagToken): void {
    const element: HtmlElement = { tag: tagName, attributes: attrs, children: [] };
    this.#open.at(-1)?.children.push(element);
    if (tagName === "a") this.#addLink(attributeOf(element, "href"));
    if (!selfClosing && !voidTags.has(tagName)) this.#open.push(element);
  }

  onEndTag({ tagName }: Token.TagToken): void {
    const { tag } = this.#open.pop() as HtmlElement;
    if (tag !== tagName) throw new Error(`The page ${this.#path} cannot be read: ${tag} is closed by ${tagName}.`);
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    this.#open.at(-1)?.children.push(chars);
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token);
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}

  #addLink(href: string | undefined): void {
    if (href?.startsWith("#") !== true) return;
    const id = href.slice(1);
    if (!this.#open.some((element) => attributeOf(element, "id") === id)) this.#ownAnchors.add(id);
  }
}

/** The value of an attribute; undefined where the element does not have it. */
export function attributeOf({ attributes }: HtmlElement, name: string): string | undefined {
  return attributes.find((attribute) => attribute.name === name)?.value;
}

/** All text of a node. */
export function textOf(node: HtmlNode): string {
  return typeof node === "string" ? node : node.children.map(textOf).join("");
}

/** The child elements of a tag. */
export function childrenOf({ children }: HtmlElement, ...tags: string[]): HtmlElement[] {
  return children.filter((child) => typeof child !== "string" && tags.includes(child.tag)) as HtmlElement[];
}
