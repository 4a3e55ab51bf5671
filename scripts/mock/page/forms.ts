/** The forms follow the descriptions of control operations in `openapi/mock-control.yaml`. */
import type { PossibleEvent } from "../plan/control.ts";
import { setField } from "../plan/members.ts";
import type { PlanField } from "../plan/plan.ts";
import { answerForm, type Questions } from "./answers.ts";
import { call } from "./call.ts";
import { createElement, findById, note } from "./dom.ts";
import { type FormDescription, makeForm } from "./frame.ts";

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const maxDescribedFields = 15;

/** Operations without a form, because the page has buttons for them: in its header, or beside a fault or an event. */
const buttonOperations = ["reset", "removeFault", "redeliver"];

export async function showForms(onDone: () => Promise<void>): Promise<void> {
  const [forms, events, questions] = await Promise.all([
    call<FormDescription[]>("GET", "forms.json"),
    call<PossibleEvent[]>("GET", "events"),
    call<Questions>("GET", "answers"),
  ]);
  const specialForms: Readonly<Record<string, (form: FormDescription) => HTMLElement>> = {
    triggerEvent: (form) => triggerForm(form, events, onDone),
    chooseAnswers: (form) => answerForm(form, questions, onDone),
  };
  for (const form of forms.filter(
    ({ operationId, method }) => method !== "GET" && !buttonOperations.includes(operationId),
  )) {
    const formElement = specialForms[form.operationId]?.(form) ?? formOf(form, onDone);
    findById(form.operationId === "chooseAnswers" ? "forms-answers" : `forms-${form.tag}`).append(formElement);
  }
  for (const tag of new Set(forms.map((form) => form.tag))) {
    const readForms = forms.filter((form) => form.tag === tag && form.method === "GET");
    const title = createElement("summary", {}, "Read as JSON");
    findById(`forms-${tag}`).append(
      createElement("details", {}, title, ...readForms.map((form) => formOf(form, onDone))),
    );
  }
}

function formOf(form: FormDescription, onDone: () => Promise<void>): HTMLElement {
  const inputs = new Map<PlanField, Input>();
  const isShort = form.fields.length <= maxDescribedFields;
  const fields = form.takesDocument ? [] : form.fields;
  const labels = fields.map((field) => makeLabel(field, inputs, isShort));
  const bodyInput = createElement("textarea", { rows: 4, spellcheck: false, ariaLabel: "Body as JSON" });
  const examples = form.examples.flatMap(({ summary, value }) =>
    summary === "" ? [] : exampleButton(summary, () => fill(inputs, value)),
  );
  return makeForm(form, [...examples, ...labels, ...(form.takesDocument ? [bodyInput] : [])], onDone, () => {
    if (form.takesDocument) return send(form, {}, JSON.parse(bodyInput.value));
    return sendFields(form, inputs);
  });
}

function triggerForm(
  form: FormDescription,
  events: readonly PossibleEvent[],
  onDone: () => Promise<void>,
): HTMLElement {
  const nameOf = ({ resource, event }: PossibleEvent) => `${resource}.${event}`;
  const select = createElement(
    "select",
    { name: "event" },
    ...events.map((event) => createElement("option", {}, nameOf(event))),
  );
  const inputs = new Map<PlanField, Input>();
  const fieldset = createElement("div", { className: "fields" });
  const showFields = () => {
    const event = events.find((candidate) => nameOf(candidate) === select.value);
    if (event === undefined) return;
    inputs.clear();
    const labels = event.takes.map((name) => {
      const documentedField = form.fields.find((field) => field.name === name);
      const values = name === "status" && event.to.length > 1 ? event.to : [];
      const field: PlanField = {
        name,
        in: "body",
        isRequired: false,
        form: "",
        description: "",
        ...documentedField,
        values,
      };
      return makeLabel(field, inputs, true);
    });
    const { value } =
      form.examples.find((example) => `${example.value.resource}.${example.value.event}` === select.value) ?? {};
    const examples = value === undefined ? [] : [exampleButton("Fill in an example", () => fill(inputs, value))];
    fieldset.replaceChildren(note(event.meaning), ...labels, ...examples);
  };
  select.addEventListener("change", showFields);
  showFields();
  return makeForm(form, [createElement("label", {}, "event ", select), fieldset], onDone, () => {
    const [resource, event] = select.value.split(".");
    return sendFields(form, inputs, { resource, event });
  });
}

function makeLabel(field: PlanField, inputs: Map<PlanField, Input>, isExplained: boolean): HTMLElement {
  const { name, values, form, description, isRequired } = field;
  const options = ["", ...values].map((value) => createElement("option", {}, value));
  const placeholder = name.includes("<name>") ? "name=value …" : (field.example ?? form);
  const input =
    values.length > 0
      ? createElement("select", { name }, ...options)
      : createElement("input", { name, placeholder, size: 16, spellcheck: false, autocomplete: "off" });
  input.required = isRequired;
  inputs.set(field, input);
  const tooltip = [description, form].filter((text) => text !== "").join(" ");
  const explanation = isExplained && description !== "" ? [createElement("small", {}, description)] : [];
  return createElement("label", { title: tooltip }, createElement("span", {}, name), input, ...explanation);
}

function exampleButton(text: string, fillIn: () => void): HTMLElement {
  return createElement("button", { type: "button", onclick: fillIn }, text);
}

function fill(inputs: ReadonlyMap<PlanField, Input>, value: Readonly<Record<string, unknown>>): void {
  for (const [{ name }, input] of inputs) {
    const memberValue = value[name];
    input.value =
      memberValue === undefined ? "" : typeof memberValue === "string" ? memberValue : JSON.stringify(memberValue);
  }
}

function sendFields(
  form: FormDescription,
  inputs: ReadonlyMap<PlanField, Input>,
  initialBody: object = {},
): Promise<unknown> {
  const parameters: Record<string, string> = {};
  const body: Record<string, unknown> = { ...initialBody };
  for (const [{ name, in: location }, { value }] of inputs) {
    if (value === "") continue;
    if (location !== "body") parameters[name] = value;
    else for (const [member, text] of membersOf(name, value)) throwProblem(setField(body, form.fields, member, text));
  }
  return send(form, parameters, form.fields.some((field) => field.in === "body") ? body : undefined);
}

/** For example, `eur=5 btc=1` for `funds.<name>` becomes the members `funds.eur` and `funds.btc`. */
function membersOf(name: string, value: string): [name: string, text: string][] {
  if (!name.includes("<name>")) return [[name, value]];
  return value.split(/\s+/).map((word) => {
    const [, keys = "", text] = /^([^=]+)=(.*)$/.exec(word) ?? [];
    if (text === undefined) throw new Error(`${name}: write name=value, such as eur=100.00.`);
    const remainingKeys = keys.split(".");
    // A dot in a key separates levels: `a.b` sets the member b of the object a.
    const member = name.replaceAll("<name>", () => remainingKeys.shift() ?? "");
    return [[member, ...remainingKeys].join("."), text];
  });
}

function throwProblem(problem: string | undefined): void {
  if (problem !== undefined) throw new Error(problem);
}

function send(
  { method, path, fields }: FormDescription,
  parameters: Record<string, string>,
  body?: unknown,
): Promise<unknown> {
  const resolvedPath = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ""));
  const queryNames = fields.filter((field) => field.in === "query").map(({ name }) => name);
  const query = new URLSearchParams(Object.entries(parameters).filter(([name]) => queryNames.includes(name)));
  return call(method, `${resolvedPath.replace("/__mock/", "")}${query.size === 0 ? "" : `?${query}`}`, body);
}
