import type { EditableField, PageCall } from "../../../samples/page-call.ts";
import { fillPath, readPath } from "../../../samples/path-template.ts";
import { jsonErrorOf, layOutJson } from "./json-layout.ts";
import { type MemberPath, memberText, withMember } from "./json-members.ts";

/** The body is a text, because it may not be JSON while the reader types. */
export class EditedCall {
  readonly #call: PageCall;
  readonly #base: string;
  readonly #path: Record<string, string>;
  readonly #query: URLSearchParams;
  readonly #originalText: string;
  text: string;

  constructor(call: PageCall) {
    const [address = "", search = ""] = call.url.split("?");
    const { base, values } = readPath(call.template ?? "", address);
    this.#call = call;
    this.#base = base;
    this.#path = values;
    this.#query = new URLSearchParams(search);
    this.#originalText = layOutJson(call.text ?? JSON.stringify(call.json ?? {}));
    this.text = this.#originalText;
  }

  /** The message of the parser; undefined if the text is JSON. */
  get textError(): string | undefined {
    return jsonErrorOf(this.text);
  }

  /** JSON; undefined if the call does not have the field. */
  read({ place, name }: EditableField): string | undefined {
    if (place === "body") return memberText(this.text, memberPathOf(name));
    const value = place === "path" ? this.#path[name] : (this.#query.get(name) ?? undefined);
    return value && JSON.stringify(value);
  }

  /** An empty value removes the parameter from the query. */
  setParameter({ place, name }: EditableField, value: string): void {
    if (place === "path") this.#path[name] = value;
    else if (value === "") this.#query.delete(name);
    else this.#query.set(name, value);
  }

  /**
   * @param json the value; undefined removes the member.
   * @returns false, without a change, if a value on the path of the member is not an object.
   */
  setMember({ name }: EditableField, json: string | undefined): boolean {
    const changedText = withMember(this.text, memberPathOf(name), json);
    if (changedText === undefined) return false;
    this.text = changedText;
    return true;
  }

  /** A text is the reason why the edited call cannot be sent. */
  result(): PageCall | string {
    if (this.textError !== undefined) return "the body is not JSON";
    const emptyParameter = Object.keys(this.#path).find((name) => this.#path[name] === "");
    if (emptyParameter !== undefined) return `${emptyParameter} is empty, and part of the path`;
    const url = `${this.#base}${fillPath(this.#call.template ?? "", this.#path)}`;
    const call = { ...this.#call, url: this.#query.size === 0 ? url : `${url}?${this.#query}` };
    return this.text === this.#originalText ? call : { ...call, json: JSON.parse(this.text), text: this.text };
  }
}

function memberPathOf(name: string): MemberPath {
  const [outermostName = "", ...innerNames] = name.split(".");
  return [outermostName, ...innerNames];
}
