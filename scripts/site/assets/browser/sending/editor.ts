/** Edits the call of a sample: its parameters and body as fields, and the body as text. */
import type { EditableField, PageCall } from "../../../samples/page-call.ts";
import { createElement } from "../dom.ts";
import { layOutJson } from "./json-layout.ts";

type Json = Record<string, unknown>;

/** @param onEdit takes the edited call; undefined while the body is not JSON. */
export function makeEditor(
  call: PageCall,
  fields: readonly EditableField[],
  onEdit: (call?: PageCall) => void,
): HTMLElement[] {
  const edited = { ...call };
  const [address, search = ""] = call.url.split("?");
  const path = pathValues(call.template ?? "", address ?? "");
  const query = new URLSearchParams(search);
  const base = (address ?? "").slice(0, (address ?? "").length - filled(call.template ?? "", path).length);
  const text = createElement("textarea", { spellcheck: "false", "aria-label": "Body as text", rows: "8" });
  const problem = createElement("p", { class: "invalid", hidden: "" });
  const inputs = new Map<EditableField, Input>();
  text.value = layOutJson(call.text ?? JSON.stringify(call.json ?? {}));

  const show = () => {
    const url = `${base}${filled(call.template ?? "", path)}`;
    edited.url = query.size === 0 ? url : `${url}?${query}`;
    onEdit(edited);
  };
  const writeBody = (value: string) => {
    try {
      edited.json = JSON.parse(value);
      edited.text = value;
      problem.hidden = true;
    } catch (error) {
      problem.textContent = `This is not JSON, so it cannot be sent: ${(error as Error).message}`;
      problem.hidden = false;
      return onEdit(undefined);
    }
    show();
  };
  const change = (field: EditableField, input: Input) => {
    input.check();
    const { name, place } = field;
    if (place === "path") path[name] = input.value;
    else if (place === "query") input.value === "" ? query.delete(name) : query.set(name, input.value);
    else {
      text.value = JSON.stringify(withMember(edited.json as Json, name.split("."), input.json()), null, 2);
      return writeBody(text.value);
    }
    show();
  };
  const read = (field: EditableField) => {
    const { name, place } = field;
    if (place === "path") return path[name];
    return place === "query" ? (query.get(name) ?? undefined) : memberOf(edited.json, name.split("."));
  };

  const isEditable = call.json !== undefined;
  const shown = fields.filter(({ place }) => place !== "body" || isEditable);
  const rows = shown.map((field) => {
    const input = new Input(field, read(field));
    inputs.set(field, input);
    input.field.addEventListener("input", () => change(field, input));
    return input.row;
  });
  text.addEventListener("input", () => {
    writeBody(text.value);
    for (const [field, input] of inputs) if (field.place === "body") input.set(read(field));
  });
  const note = "An optional field that is empty is left out. The text is sent as it is.";
  const ofBody = isEditable
    ? [createElement("label", {}, "Body as text", text), problem, createElement("p", { class: "note" }, note)]
    : [];
  return [...rows, ...ofBody];
}

let lists = 0;

class Input {
  readonly row: HTMLElement;
  readonly field = createElement("input", { autocomplete: "off", spellcheck: "false" });
  readonly #problem = createElement("span", { class: "invalid" });
  readonly #about: EditableField;

  constructor(about: EditableField, value: unknown) {
    this.#about = about;
    const { name, type, isRequired, values = /^boolean/.test(type) ? ["true", "false"] : [] } = about;
    const words = ` ${type}${isRequired ? ", required" : ""}`;
    const label = createElement(
      "label",
      {},
      createElement("code", {}, name),
      createElement("span", { class: "type" }, words),
      this.field,
    );
    this.row = createElement("div", { class: "edited" }, label, this.#problem);
    if (values.length > 0) {
      lists += 1;
      const options = values.map((one) => createElement("option", { value: one }));
      this.row.append(createElement("datalist", { id: `values-${lists}` }, ...options));
      this.field.setAttribute("list", `values-${lists}`);
    }
    this.set(value);
  }

  get value(): string {
    return this.field.value;
  }

  set(value: unknown): void {
    this.field.value = value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
    this.check();
  }

  /** The value for the body: undefined leaves the member out. */
  json(): unknown {
    if (this.value === "") return undefined;
    if (/\bstring\b/.test(this.#about.type)) return this.value;
    try {
      return JSON.parse(this.value);
    } catch {
      return this.value;
    }
  }

  check(): void {
    const problem = this.#problemOf(this.value);
    this.field.ariaInvalid = problem === "" ? null : "true";
    this.#problem.textContent = problem;
  }

  #problemOf(value: string): string {
    const { type, isRequired, values, pattern } = this.#about;
    if (value === "") return isRequired ? "Required: the contract expects a value." : "";
    if (pattern !== undefined && !new RegExp(pattern, "u").test(value))
      return `The contract expects the form ${pattern}`;
    if (values !== undefined && !values.includes(value)) return "The contract does not list this value.";
    if (/^(number|integer)$/.test(type) && !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value))
      return `The contract expects: ${type}.`;
    return "";
  }
}

function pathValues(template: string, address: string): Record<string, string> {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const form = template.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "([^/]*)");
  const values = new RegExp(`${form}$`).exec(address)?.slice(1) ?? [];
  return Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(values[at] ?? "")]));
}

const filled = (template: string, values: Readonly<Record<string, string>>) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));

function memberOf(value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined) return value;
  return typeof value === "object" && value !== null ? memberOf((value as Json)[name], rest) : undefined;
}

/** A copy with another value of one member; undefined removes it, and the objects that are empty then. */
function withMember(object: Json | undefined, [name = "", ...rest]: string[], value: unknown): Json {
  const inner = rest.length === 0 ? value : withMember(object?.[name] as Json | undefined, rest, value);
  const isGone = inner === undefined || (rest.length > 0 && Object.keys(inner as Json).length === 0);
  const copy = { ...object, [name]: inner };
  if (isGone) delete copy[name];
  return copy;
}

/** Copies the edited call in another language than that of the page. */
export function copyButtons(texts: Readonly<Record<string, () => Promise<string> | string>>): HTMLElement {
  const buttons = Object.entries(texts).map(([name, make]) => {
    const button = createElement("button", { type: "button", class: "copy" }, `Copy as ${name}`);
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(await make());
      button.textContent = `Copied as ${name}`;
    });
    return button;
  });
  return createElement("p", { class: "copies" }, ...buttons);
}
