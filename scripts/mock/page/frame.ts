/** The form is collapsed below its summary, and shows the result of its submission. */
import type { PlanControl } from "../plan/plan.ts";
import { codeBlock, createElement, note } from "./dom.ts";

export type FormDescription = Pick<
  PlanControl,
  "operationId" | "summary" | "description" | "tag" | "method" | "path" | "fields" | "examples"
> & {
  readonly takesDocument: boolean;
};

export function makeForm(
  { summary, description }: FormDescription,
  parts: readonly HTMLElement[],
  onDone: () => Promise<void>,
  submit: () => Promise<unknown>,
): HTMLElement {
  const result = createElement("output");
  const form = createElement(
    "form",
    { ariaLabel: summary },
    ...parts,
    createElement("button", { type: "submit" }, "Send"),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    result.className = "muted";
    try {
      const value = await submit();
      result.replaceChildren(value === undefined ? "Done." : codeBlock("Result", value));
    } catch (error) {
      result.className = "bad";
      result.replaceChildren((error as Error).message);
    }
    await onDone();
  });
  const introduction = description === "" ? [] : [note(description.replaceAll("`", ""))];
  return createElement("details", {}, createElement("summary", {}, summary), ...introduction, form, result);
}
