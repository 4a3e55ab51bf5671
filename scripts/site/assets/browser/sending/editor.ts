/** Parameters and body are edited as fields, the body also as text. */
import type { EditableField, PageCall } from "../../../samples/page-call.ts";
import { copyButton } from "../copy-button.ts";
import { createElement } from "../dom.ts";
import { EditedCall } from "./edited-call.ts";
import { Input } from "./input.ts";

/**
 * The text area exists only for a JSON body.
 *
 * @param onEdit receives the edited call, or the reason why the call cannot be sent, such as `the body is not JSON`.
 */
export function makeEditor(
  call: PageCall,
  fields: readonly EditableField[],
  onEdit: (call: PageCall | string) => void,
): HTMLElement[] {
  const editedCall = new EditedCall(call);
  const hasBody = call.json !== undefined;
  const shownFields = fields.filter(({ place }) => place !== "body" || hasBody);
  const rows = shownFields.map((field) => ({ field, input: new Input(field, editedCall.read(field)) }));
  const bodyRows = rows.filter(({ field }) => field.place === "body");
  const text = createElement("textarea", { spellcheck: "false", "aria-label": "Body as text", rows: "8" });
  const problem = createElement("p", { class: "invalid", hidden: "" });
  text.value = editedCall.text;

  const showResult = () => {
    const error = editedCall.textError;
    problem.hidden = error === undefined;
    problem.textContent = `This is not JSON, so it cannot be sent: ${error} The fields of the body can be changed again when it is.`;
    text.ariaInvalid = error === undefined ? null : "true";
    for (const { input } of bodyRows) input.isReadOnly = error !== undefined;
    onEdit(editedCall.result());
  };
  for (const { field, input } of rows) {
    input.field.addEventListener("input", () => {
      input.check();
      if (field.place !== "body") editedCall.setParameter(field, input.value);
      else if (!editedCall.setMember(field, input.json(editedCall.read(field))))
        return input.showProblem("The text has another value in the place of the object: change it there.");
      else text.value = editedCall.text;
      showResult();
    });
  }
  text.addEventListener("input", () => {
    editedCall.text = text.value;
    showResult();
    if (editedCall.textError === undefined) for (const { field, input } of bodyRows) input.set(editedCall.read(field));
  });
  const note = "An optional field that is empty is left out. The text is sent as it is.";
  const textElements = [
    createElement("label", {}, "Body as text", text),
    problem,
    createElement("p", { class: "note" }, note),
  ];
  return [...rows.map(({ input }) => input.row), ...(hasBody ? textElements : [])];
}

/** @param texts functions that return the text for each button, such as the edited call as code, by the name in the button's label. */
export function copyButtons(texts: Readonly<Record<string, () => Promise<string>>>): HTMLElement {
  const buttons = Object.entries(texts).map(([name, getText]) =>
    copyButton(`Copy as ${name}`, getText, { class: "copy" }),
  );
  return createElement("p", { class: "copies" }, ...buttons);
}
