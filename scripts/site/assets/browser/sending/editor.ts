/** Edits the call of a sample: its parameters and body as fields, and the body as text. */
import type { EditableField, PageCall } from "../../../samples/page-call.ts";
import { fillPath, readPath } from "../../../samples/path-template.ts";
import { createElement } from "../dom.ts";
import { layOutJson } from "./json-layout.ts";
import { type MemberPath, memberText, withMember } from "./json-members.ts";

/**
 * Makes the fields and, for a JSON body, the text area. @param onEdit receives the edited call, or the reason why the call cannot be sent,
 * such as `the body is not JSON`.
 */
export function makeEditor(
  call: PageCall,
  fields: readonly EditableField[],
  onEdit: (call: PageCall | string) => void,
): HTMLElement[] {
  const { template = "", json } = call;
  const [address = "", search = ""] = call.url.split("?");
  const { base, values: path } = readPath(template, address);
  const query = new URLSearchParams(search);
  const originalText = layOutJson(call.text ?? JSON.stringify(json ?? {}));
  const text = createElement("textarea", { spellcheck: "false", "aria-label": "Body as text", rows: "8" });
  const problem = createElement("p", { class: "invalid", hidden: "" });
  text.value = originalText;

  const read = ({ place, name }: EditableField): string | undefined => {
    if (place === "body") return memberText(text.value, pathOf(name));
    const value = place === "path" ? path[name] : (query.get(name) ?? undefined);
    return value && JSON.stringify(value);
  };
  const shownFields = fields.filter(({ place }) => place !== "body" || json !== undefined);
  const rows = shownFields.map((field) => ({ field, input: new Input(field, read(field)) }));
  const bodyRows = rows.filter(({ field }) => field.place === "body");

  const update = () => {
    const error = errorIn(text.value);
    problem.hidden = error === undefined;
    problem.textContent = `This is not JSON, so it cannot be sent: ${error} The fields of the body can be changed again when it is.`;
    text.ariaInvalid = error === undefined ? null : "true";
    for (const { input } of bodyRows) input.isReadOnly = error !== undefined;
    const url = `${base}${fillPath(template, path)}`;
    const editedCall = { ...call, url: query.size === 0 ? url : `${url}?${query}` };
    const emptyParameter = Object.keys(path).find((name) => path[name] === "");
    if (error !== undefined) onEdit("the body is not JSON");
    else if (emptyParameter !== undefined) onEdit(`${emptyParameter} is empty, and part of the path`);
    else
      onEdit(
        text.value === originalText ? editedCall : { ...editedCall, json: JSON.parse(text.value), text: text.value },
      );
  };
  const change = (field: EditableField, input: Input) => {
    input.check();
    const { name, place } = field;
    if (place === "path") path[name] = input.value;
    else if (place === "query") input.value === "" ? query.delete(name) : query.set(name, input.value);
    else {
      const changedText = withMember(text.value, pathOf(name), input.json(read(field)));
      if (changedText === undefined)
        return input.showProblem("The text has another value in the place of the object: change it there.");
      text.value = changedText;
    }
    update();
  };
  for (const { field, input } of rows) input.field.addEventListener("input", () => change(field, input));
  text.addEventListener("input", () => {
    update();
    if (problem.hidden) for (const { field, input } of bodyRows) input.set(read(field));
  });
  const note = "An optional field that is empty is left out. The text is sent as it is.";
  const textElements = [
    createElement("label", {}, "Body as text", text),
    problem,
    createElement("p", { class: "note" }, note),
  ];
  return [...rows.map(({ input }) => input.row), ...(json === undefined ? [] : textElements)];
}

const pathOf = (name: string) => name.split(".") as [string, ...string[]] satisfies MemberPath;

/** The message of the parser; undefined if the text is JSON. */
function errorIn(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

let inputCount = 0;

class Input {
  readonly row: HTMLElement;
  readonly field = createElement("input", { autocomplete: "off", spellcheck: "false" });
  readonly #problem: HTMLElement;
  /** The initial value, for messages; undefined if it is empty or has a problem. */
  readonly #example: string | undefined;
  readonly #description: EditableField;

  /** Whether the field shows the complete value. */
  #isWhole = true;

  /** @param value the initial value as JSON; undefined if the call does not have the field. */
  constructor(description: EditableField, value: string | undefined) {
    this.#description = description;
    inputCount += 1;
    this.#problem = createElement("span", { class: "invalid", id: `problem-${inputCount}` });
    this.field.setAttribute("aria-describedby", this.#problem.id);
    const { name, type, isRequired, values = /^boolean/.test(type) ? ["true", "false"] : [] } = description;
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
      const options = values.map((item) => createElement("option", { value: item }));
      this.row.append(createElement("datalist", { id: `values-${inputCount}` }, ...options));
      this.field.setAttribute("list", `values-${inputCount}`);
    }
    this.set(value);
    this.#example = this.value === "" || this.#problemOf(this.value) !== "" ? undefined : this.value;
  }

  get value(): string {
    return this.field.value;
  }

  /** @param value JSON; a string is shown without its quotes. Undefined empties the field. */
  set(value: string | undefined): void {
    const displayText = value?.startsWith('"') ? (JSON.parse(value) as string) : (value ?? "");
    this.field.value = displayText;
    // An input element removes line breaks, so it cannot show a value of several lines.
    this.#isWhole = this.field.value === displayText;
    this.isReadOnly = false;
    this.check();
  }

  /** Whether the field shows its value, but cannot be changed. */
  set isReadOnly(isReadOnly: boolean) {
    this.field.readOnly = isReadOnly || !this.#isWhole;
  }

  /**
   * The value as JSON; undefined leaves the member out.
   *
   * @param previousValue the previous value as JSON. If it is a string and strings are accepted, so is the result, even with the form of a
   * number.
   */
  json(previousValue = '""'): string | undefined {
    if (this.value === "") return undefined;
    const isText = /\bstring\b/.test(this.#description.type) && previousValue.startsWith('"');
    return isText || errorIn(this.value) !== undefined ? JSON.stringify(this.value) : this.value;
  }

  showProblem(problem: string): void {
    this.field.ariaInvalid = problem === "" ? null : "true";
    this.#problem.textContent = problem;
  }

  check(): void {
    this.showProblem(this.#problemOf(this.value));
  }

  #problemOf(value: string): string {
    const { type, isRequired, values, pattern } = this.#description;
    if (!this.#isWhole) return "This value has several lines: change it in the text.";
    if (value === "") return isRequired ? "Required: the contract expects a value." : "";
    if (pattern !== undefined && !new RegExp(pattern, "u").test(value))
      return `The contract expects the form ${pattern}${this.#example === undefined ? "" : `, such as ${this.#example}`}`;
    if (/\(date\)/.test(type) && !/^\d{4}-\d\d-\d\d$/.test(value)) return "The contract expects a date as YYYY-MM-DD.";
    if (values !== undefined && !values.includes(value)) return "The contract does not list this value.";
    if (/^(number|integer)$/.test(type) && !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value))
      return `The contract expects: ${type}.`;
    return "";
  }
}

/**
 * Makes the copy buttons. @param texts functions that return the text for each button, such as the edited call as code, by the name in the
 * button's label.
 */
export function copyButtons(texts: Readonly<Record<string, () => Promise<string> | string>>): HTMLElement {
  const buttons = Object.entries(texts).map(([name, getText]) => {
    const button = createElement("button", { type: "button", class: "copy" }, `Copy as ${name}`);
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(await getText());
      button.textContent = `Copied as ${name}`;
    });
    return button;
  });
  return createElement("p", { class: "copies" }, ...buttons);
}
