import type { EditableField } from "../../../samples/page-call.ts";
import { createElement } from "../dom.ts";
import { jsonErrorOf } from "./json-layout.ts";

let inputCount = 0;

export class Input {
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
    const { name, type, jsonTypes, isRequired } = description;
    const { values = jsonTypes.includes("boolean") ? ["true", "false"] : [] } = description;
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
    const displayText = value?.startsWith('"') ? String(JSON.parse(value)) : (value ?? "");
    this.field.value = displayText;
    // An input element removes line breaks, so it cannot show a value of several lines.
    this.#isWhole = this.field.value === displayText;
    this.isReadOnly = false;
    this.check();
  }

  /** A field that does not show the complete value stays read-only. */
  set isReadOnly(isReadOnly: boolean) {
    this.field.readOnly = isReadOnly || !this.#isWhole;
  }

  /**
   * The value as JSON; undefined leaves the member out.
   *
   * @param previousValue the previous value as JSON. If it is a string and the field accepts strings, the result is a string too, even if
   * it looks like a number.
   */
  json(previousValue = '""'): string | undefined {
    if (this.value === "") return undefined;
    const isText = this.#description.jsonTypes.includes("string") && previousValue.startsWith('"');
    return isText || jsonErrorOf(this.value) !== undefined ? JSON.stringify(this.value) : this.value;
  }

  showProblem(problem: string): void {
    this.field.ariaInvalid = problem === "" ? null : "true";
    this.#problem.textContent = problem;
  }

  check(): void {
    this.showProblem(this.#problemOf(this.value));
  }

  #problemOf(value: string): string {
    const { type, jsonTypes, format, isRequired, values, pattern } = this.#description;
    if (!this.#isWhole) return "This value has several lines: change it in the text.";
    if (value === "") return isRequired ? "Required: the contract expects a value." : "";
    if (pattern !== undefined && !new RegExp(pattern, "u").test(value))
      return `The contract expects the form ${pattern}${this.#example === undefined ? "" : `, such as ${this.#example}`}`;
    if (format === "date" && !/^\d{4}-\d\d-\d\d$/.test(value)) return "The contract expects a date as YYYY-MM-DD.";
    if (values !== undefined && !values.includes(value)) return "The contract does not list this value.";
    const isNumber =
      jsonTypes.length > 0 && jsonTypes.every((jsonType) => jsonType === "number" || jsonType === "integer");
    if (isNumber && !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)) return `The contract expects: ${type}.`;
    return "";
  }
}
